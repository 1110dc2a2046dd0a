using System.Runtime.InteropServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The answer of the owner to a change.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ChangeAnswer
{
    /// <summary>The number of the change.</summary>
    public long Number;
    public ChangeOutcome Outcome;

    /// <summary>The failure, as an <see cref="Exception.HResult"/>.</summary>
    public int Code;

    /// <summary>The bytes that were asked for.</summary>
    public long Asked;

    /// <summary>The most bytes of an entry.</summary>
    public long Limit;
    private ulong _check;

    // Without the checksum itself.
    private readonly ulong Sum
    {
        get
        {
            var copy = this;
            copy._check = 0;
            return XxHash64.Hash(MemoryMarshal.AsBytes(new ReadOnlySpan<ChangeAnswer>(in copy)));
        }
    }

    /// <summary>Reads an answer.</summary>
    /// <returns>False when the bytes cannot be one.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out ChangeAnswer answer) => MemoryMarshal.TryRead(bytes, out answer) && answer._check == answer.Sum;

    /// <summary>Sets the checksum. Nothing is changed afterwards.</summary>
    public void Seal() => _check = Sum;
}
