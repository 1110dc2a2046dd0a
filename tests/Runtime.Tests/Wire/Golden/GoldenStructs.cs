using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>
/// <code>
/// A | 3 bytes padding | B (4) | C (2) | 2 bytes padding
/// </code>
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Padded
{
    public byte A;
    public int B;
    public short C;

    /// <summary>Fills the padding with bytes that must not reach a message.</summary>
    public static Padded Dirty(byte a, int b, short c)
    {
        var value = default(Padded);
        MemoryMarshal.AsBytes(new Span<Padded>(ref value)).Fill(0xEE);
        value.A = a;
        value.B = b;
        value.C = c;
        return value;
    }
}

/// <summary>
/// <code>
/// A | B (8), not aligned
/// </code>
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct Packed
{
    public byte A;
    public long B;
}

/// <summary>
/// <code>
/// A | 3 bytes padding | Id (16): the CLR aligns a Guid as its largest field, 4
/// </code>
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Tagged
{
    public byte A;
    public Guid Id;
}

/// <summary>
/// <code>
/// 4 bytes padding | X (4)
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 8)]
internal struct Shifted
{
    [FieldOffset(4)]
    public int X;

    public static Shifted Dirty(int x)
    {
        var value = default(Shifted);
        MemoryMarshal.AsBytes(new Span<Shifted>(ref value)).Fill(0xEE);
        value.X = x;
        return value;
    }
}

internal enum Small : byte
{
    None = 0,
    One = 1,
    Big = 200,
}

internal enum Plain
{
    None = 0,
    Seven = 7,
}

internal enum Narrow : short
{
    None = 0,
    Below = -2,
}

internal enum Wide : long
{
    None = 0,
    FarBelow = -5,
}
