using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// One participant: a producer or a consumer. Slot 0 is the registrar: who holds its lease may change the tables.
/// A slot is in use while a cursor or the header names it; what stands in an unused one means nothing.
/// <code>
///   0  u32 role          4  i32 process id      8  i64 process start, UTC ticks    (for people only)
///  16  u32 1 while the participant is counted in the waiters word
/// 128  i64 end of its last published record
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct ParticipantSlot
{
    public const int Bytes = 256;
    public const int Count = 256;
    public const int Registrar = 0;
    public const uint RegistrarRole = 1;
    public const uint ProducerRole = 2;
    public const uint ConsumerRole = 3;

    [FieldOffset(0)]
    public uint Role;

    [FieldOffset(4)]
    public int ProcessId;

    [FieldOffset(8)]
    public long ProcessStartTicks;

    [FieldOffset(16)]
    public uint IsWaiting;

    [FieldOffset(128)]
    public long LastPublished;
}
