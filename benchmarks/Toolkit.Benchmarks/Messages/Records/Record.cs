using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Records;

/// <summary>A hundred nested unmanaged structs.</summary>
[BufferedMessageSource]
public sealed partial class Record
{
    public Foobarbazqux[] Data { get; set; } = [];

    /// <summary>Makes a record with so many structs.</summary>
    public static Record Create(int count) => new()
    {
        Data = [.. Enumerable.Range(0, count).Select(static i => new Foobarbazqux(new Foobarbaz(new Foobar(111 + i, 222 - i), 1.234f + i), 3.14 - i))],
    };
}

/// <summary>The innermost struct; it has 4 bytes of padding.</summary>
public readonly record struct Foobar(int Foo, long Bar);

/// <summary>The struct around it.</summary>
public readonly record struct Foobarbaz(Foobar Foobar, float Baz);

/// <summary>The outermost struct, 32 bytes of which 8 are padding.</summary>
public readonly record struct Foobarbazqux(Foobarbaz Foobarbaz, double Qux);
