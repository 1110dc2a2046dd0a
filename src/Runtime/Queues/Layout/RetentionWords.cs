using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// The retention of a durable queue, as the control file has it.
/// <code>
///  0  i64 bytes, 0 for no limit     8  i64 age, ticks of 100 ns     16  i64 hard limit, bytes     24  u32 flags
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Size, Pack = sizeof(uint))]
internal struct RetentionWords
{
    public const int Size = 28;
    public const uint KnownFlags = DeleteReadFlag | KeepUnreadFlag | DropOldestFlag;
    private const uint DeleteReadFlag = 1;
    private const uint KeepUnreadFlag = 2;
    private const uint DropOldestFlag = 4;

    [FieldOffset(0)]
    public long Bytes;

    [FieldOffset(8)]
    public long AgeTicks;

    [FieldOffset(16)]
    public long HardLimitBytes;

    [FieldOffset(24)]
    public uint Flags;

    /// <summary>Whether segments that every name has passed are deleted.</summary>
    public readonly bool DeletesRead => (Flags & DeleteReadFlag) != 0;

    /// <summary>Whether the limits of bytes and of age delete only segments that every name has passed.</summary>
    public readonly bool KeepsUnread => (Flags & KeepUnreadFlag) != 0;

    /// <summary>Whether the oldest segment is deleted at the hard limit.</summary>
    public readonly bool DropsOldest => (Flags & DropOldestFlag) != 0;

    /// <summary>Whether any segment is ever deleted, or a limit makes producers wait.</summary>
    public readonly bool HasRules => (Bytes | AgeTicks | HardLimitBytes) != 0 || DeletesRead;

    /// <summary>The words of a retention.</summary>
    public static RetentionWords Of(QueueRetention retention) => new()
    {
        Bytes = retention.MaxBytes ?? 0,
        AgeTicks = retention.MaxAge?.Ticks ?? 0,
        HardLimitBytes = retention.HardLimitBytes ?? 0,
        Flags = (retention.DeleteRead ? DeleteReadFlag : 0) | (retention.KeepUnread ? KeepUnreadFlag : 0) | (retention.DropOldestAtHardLimit ? DropOldestFlag : 0),
    };

    /// <summary>Returns the retention; null if nothing is deleted.</summary>
    public readonly QueueRetention? ToRetention() => !HasRules
        ? null
        : new QueueRetention
        {
            MaxBytes = Bytes == 0 ? null : Bytes,
            MaxAge = AgeTicks == 0 ? null : TimeSpan.FromTicks(AgeTicks),
            HardLimitBytes = HardLimitBytes == 0 ? null : HardLimitBytes,
            DeleteRead = DeletesRead,
            KeepUnread = KeepsUnread,
            DropOldestAtHardLimit = DropsOldest,
        };
}
