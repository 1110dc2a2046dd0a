using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// One slot of a bounded queue's ring. It holds one segment after another: those whose number has the same remainder when divided by the
/// number of slots. Its state only grows.
/// <code>
///  0  u64 state: 0 never used, 2k + 1 segment k is being prepared, 2k + 2 segment k is open
/// 64  u32 lock: participant slot of its holder + 1, 0 for none. Held to reuse the slot, and to place a cursor in it
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct RingSlot
{
    public const int Bytes = 128;
    public const int MinCount = 2;
    public const int MaxCount = 256;
    public const ulong NeverUsed = 0;

    [FieldOffset(0)]
    public ulong State;

    [FieldOffset(64)]
    public uint Lock;

    /// <summary>The state in which a segment is being prepared.</summary>
    public static ulong Opening(long segment) => ((ulong)segment * 2) + 1;

    /// <summary>The state in which a segment is open.</summary>
    public static ulong Open(long segment) => ((ulong)segment * 2) + 2;

    /// <summary>Whether a slot can ever be in a state.</summary>
    public static bool IsPossible(ulong state, int slot, int slots, long segmentBytes) =>
        state == NeverUsed || ((long)((state - 1) / 2) % slots == slot && (long)(state / 2) <= long.MaxValue / segmentBytes);

    /// <summary>The open segment of a state, or the one that was open before the segment that is being prepared; -1 for none.</summary>
    public static long SegmentOf(ulong state, int slots) => (state & 1) == 0 ? (long)(state / 2) - 1 : Math.Max((long)(state / 2) - slots, -1);
}
