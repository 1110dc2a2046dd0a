using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The word in which a group's member announces the message it takes, before and after the take.</summary>
internal static class InFlight
{
    /// <summary>The member has taken nothing.</summary>
    public const ulong None = 0;

    /// <summary>The member is about to take the record at a position; another one may win it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Tentative(long position) => Confirmed(position) | 1;

    /// <summary>The member takes the record at a position, if its compare-and-swap of the claim word succeeds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Confirmed(long position) => ((ulong)position + 1) << 1;

    /// <summary>The record is taken: the announcement is confirmed, and the claim word has passed it.</summary>
    public static bool IsTaken(ulong word, long claim) => word != None && !IsTentative(word) && claim > Position(word);

    public static bool IsTentative(ulong word) => (word & 1) != 0;

    public static long Position(ulong word) => (long)(word >> 1) - 1;
}
