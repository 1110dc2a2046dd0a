using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// One participant: a producer or a consumer. The lease of slot 0 is the membership lock, whose holder may change the tables.
/// A slot belongs to the holder of its lease. If the lease is free and the role is not zero, the owner died, and its state must be
/// reclaimed before the slot is used again. A new member of a dead member's group may also take over the slot unchanged, with its message.
/// The role is cleared before the slot gets another cursor, and stored after it. If a reader without the membership lock finds the same role before and
/// after it reads the cursor, the two belong together.
/// <code>
///   0  u32 role          4  i32 process id      8  i64 process start, UTC ticks    (for people only)
///  16  u32 1 while the participant is counted in the waiters for a record, 2 in those for space
///  20  i32 cursor record of a consumer
/// 128  i64 position of the producer's last claim, stored before it is tried
/// 136  i64 messages    144  i64 bytes of payload     (published or committed by this participant)
/// 256  u64 the message that a group's member has taken: (position + 1) * 2, plus 1 while it is only about to; 0 for none
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct ParticipantSlot
{
    public const int Bytes = 384;
    public const int Count = 256;
    public const int MembershipLock = 0;
    public const uint NoRole = 0;
    public const uint MembershipLockRole = 1;
    public const uint ProducerRole = 2;
    public const uint ConsumerRole = 3;
    public const uint MemberRole = 4;
    public const uint NotWaiting = 0;
    public const uint WaitsForRecord = 1;
    public const uint WaitsForSpace = 2;

    [FieldOffset(0)]
    public uint Role;

    [FieldOffset(4)]
    public int ProcessId;

    [FieldOffset(8)]
    public long ProcessStartTicks;

    /// <summary>When the owner's process started.</summary>
    public readonly DateTimeOffset ProcessStart =>
        new(Math.Clamp(ProcessStartTicks, DateTime.MinValue.Ticks, DateTime.MaxValue.Ticks), TimeSpan.Zero);

    [FieldOffset(16)]
    public uint Waiting;

    [FieldOffset(20)]
    public int Cursor;

    [FieldOffset(128)]
    public long LastClaim;

    [FieldOffset(136)]
    public long Messages;

    [FieldOffset(144)]
    public long PayloadBytes;

    [FieldOffset(256)]
    public ulong InFlight;
}
