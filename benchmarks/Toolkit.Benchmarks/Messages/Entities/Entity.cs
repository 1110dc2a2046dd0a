using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Entities;

/// <summary>A value of each of 13 primitive types, and 128 bytes.</summary>
[BufferedMessageSource]
public sealed partial class Entity
{
    public byte ByteValue { get; set; }
    public sbyte SByteValue { get; set; }
    public short ShortValue { get; set; }
    public ushort UShortValue { get; set; }
    public int IntValue { get; set; }
    public uint UIntValue { get; set; }
    public long LongValue { get; set; }
    public ulong ULongValue { get; set; }
    public float FloatValue { get; set; }
    public double DoubleValue { get; set; }
    public decimal DecimalValue { get; set; }
    public char CharValue { get; set; }
    public bool BoolValue { get; set; }
    public byte[] Bytes { get; set; } = [];

    /// <summary>Makes an entity with usual values.</summary>
    public static Entity Create() => new()
    {
        ByteValue = 200,
        SByteValue = -100,
        ShortValue = -30_000,
        UShortValue = 60_000,
        IntValue = -2_000_000_000,
        UIntValue = 4_000_000_000,
        LongValue = -9_000_000_000_000_000_000,
        ULongValue = 18_000_000_000_000_000_000,
        FloatValue = 1.234f,
        DoubleValue = 3.14159265358979,
        DecimalValue = 12_345_678.9012m,
        CharValue = 'x',
        BoolValue = true,
        Bytes = [.. Enumerable.Range(0, 128).Select(static i => (byte)i)],
    };
}
