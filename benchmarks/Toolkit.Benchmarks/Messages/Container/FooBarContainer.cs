using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Container;

/// <summary>
/// The model that serializer benchmarks share (it comes from FlatBuffers' own): a list of entries with name, rating, postfix and a
/// nested sibling with a nested parent. Here with 30 entries, which makes 333 fields.
/// </summary>
[BufferedMessageSource]
public sealed partial class FooBarContainer
{
    public List<FooBar>? List { get; set; }

    public bool Initialized { get; set; }

    public Fruit Fruit { get; set; }

    public string? Location { get; set; }

    /// <summary>Makes the container with its usual values.</summary>
    public static FooBarContainer Create(int entries) => new()
    {
        Initialized = true,
        Fruit = Fruit.Bananas,
        Location = "https://www.example.com/myurl/",
        List = [.. Enumerable.Range(0, entries).Select(CreateEntry)],
    };

    private static FooBar CreateEntry(int i) => new()
    {
        Name = $"Hello, World! Entry number {i:D4}",
        Rating = 3.1415432432445543543 + i,
        Postfix = (byte)('!' + i),
        Sibling = new Bar
        {
            Time = 123456 + i,
            Ratio = 3.14159f + i,
            Size = (ushort)(10000 + i),
            Parent = new Foo
            {
                Id = 0xABADCAFEABADCAFE + (ulong)i,
                Count = (short)(10000 + i),
                Prefix = (sbyte)('@' + i),
                Length = (uint)(1000000 + i),
            },
        },
    };
}

[BufferedMessageSource]
public sealed partial class FooBar
{
    public Bar? Sibling { get; set; }

    public string? Name { get; set; }

    public double Rating { get; set; }

    public byte Postfix { get; set; }
}

[BufferedMessageSource]
public sealed partial class Bar
{
    public Foo? Parent { get; set; }

    public int Time { get; set; }

    public float Ratio { get; set; }

    public ushort Size { get; set; }
}

[BufferedMessageSource]
public sealed partial class Foo
{
    public ulong Id { get; set; }

    public short Count { get; set; }

    public sbyte Prefix { get; set; }

    public uint Length { get; set; }
}

public enum Fruit : short
{
    Apples,
    Pears,
    Bananas,
}
