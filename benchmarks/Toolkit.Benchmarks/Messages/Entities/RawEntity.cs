using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Toolkit.Benchmarks.Messages.Entities;

/// <summary>The entity as a struct that is copied as it lies in memory.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct RawEntity
{
    public byte ByteValue;
    public sbyte SByteValue;
    public short ShortValue;
    public ushort UShortValue;
    public int IntValue;
    public uint UIntValue;
    public long LongValue;
    public ulong ULongValue;
    public float FloatValue;
    public double DoubleValue;
    public decimal DecimalValue;
    public char CharValue;
    public bool BoolValue;
    public Block Bytes;

    public static RawEntity Of(Entity source)
    {
        var raw = new RawEntity
        {
            ByteValue = source.ByteValue,
            SByteValue = source.SByteValue,
            ShortValue = source.ShortValue,
            UShortValue = source.UShortValue,
            IntValue = source.IntValue,
            UIntValue = source.UIntValue,
            LongValue = source.LongValue,
            ULongValue = source.ULongValue,
            FloatValue = source.FloatValue,
            DoubleValue = source.DoubleValue,
            DecimalValue = source.DecimalValue,
            CharValue = source.CharValue,
            BoolValue = source.BoolValue,
        };
        source.Bytes.CopyTo(raw.Bytes);
        return raw;
    }

    [InlineArray(128)]
    public struct Block
    {
        private byte _first;
    }
}
