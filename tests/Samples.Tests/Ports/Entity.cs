namespace BufferedMessages.Samples.Tests.Ports;

// <entity>
[BufferedMessageSource]
public partial class Entity
{
    public int Primitive { get; set; }
    public Foobar Unmanaged { get; set; }
    public byte[]? Bytes { get; set; }
    public string? String { get; set; }
    public Foobarbaz? BufferedObject { get; set; }

    public IEnumerable<int>? PrimitiveList { get; set; }
    public IEnumerable<Foobar>? UnmanagedList { get; set; }
    public IEnumerable<string>? StringList { get; set; }
    public IEnumerable<Foobarbaz>? BufferedObjectList { get; set; }
}

[BufferedMessageSource]
public partial record Foobarbaz(Foobar Foobar, string Baz);

public readonly record struct Foobar(int Foo, long Bar);
// </entity>
