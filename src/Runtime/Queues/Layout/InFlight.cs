using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The word in which a group's member announces the message it takes, before and after it has taken it.</summary>
internal static class InFlight
{
    /// <summary>The member has taken nothing.</summary>
    public const ulong None = 0;

    /// <summary>About to take the record at a position; perhaps somebody else does.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Tentative(long position) => Confirmed(position) | 1;

    /// <summary>Takes the record at a position, if the claim word goes on to its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Confirmed(long position) => ((ulong)position + 1) << 1;

    /// <summary>The record is taken: announced for good, and the claim word has gone behind it.</summary>
    public static bool IsTaken(ulong word, long claim) => word != None && !IsTentative(word) && claim > Position(word);

    public static bool IsTentative(ulong word) => (word & 1) != 0;

    public static long Position(ulong word) => (long)(word >> 1) - 1;
}
