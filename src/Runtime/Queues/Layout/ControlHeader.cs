using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>
/// The first page of the control file. Fields set at creation come first. Each word that is written while the queue runs has
/// cache lines of its own, two at a time, because processors fetch lines in pairs.
/// <code>
///    0  u32 magic "BMQ1"          4  u32 version
///    8  u32 mode                 12  u32 producers mode
///   16  i64 segment bytes        24  u32 slots (bounded)        28  u32 required features
///   32  u64 salt                 40  i64 creation, UTC ticks
///   48  i64 control file bytes   56  u32 participant slots      60  u32 cursor records
///   64  u32 content kind         68  u32 schema text bytes      72  u64 schema fingerprint
///   80  u32 flush mode           84  u32 messages per flush     88  i64 flush interval, ticks of 100 ns
///   96  retention, 28 bytes     124  u32 optional features
///  128  u32 producer slot, 0 for none (single producer)        132  u32 participant slots that were ever in use
///  256  i64 tail hint (many producers)
///  384  i64 open segments: the files of the segments below this number exist or existed (durable)
///  512  u64 waiters for a record: bits 0-31 how many there are now, bits 32-63 how many waits have begun
///  640  u32 sequence of wakes: consumers sleep on it
///  768  u64 waiters for space, as above
///  896  u32 sequence of wakes for space
/// 1024  i64 first segment: the files of the segments below this number are gone (durable)
/// 1152  i64 durable position: everything before it is on the disk (durable)
/// 1280  u64 waits for space    1288  u64 wakes            1296  u32 flushes that failed (durable)
/// 1304  i64 the monotonic clock when waiters for a record were last woken    1312  i64 the same for space
/// 1408  u128 boot id of the machine when the queue was last opened (durable)
/// 1536  u64 epoch    1552  guid id
/// 1664  retention that replaces the one at 96, 28 bytes    1692  u32 steps of its changes: while it is odd, this one counts (durable)
/// 2048  i64 x 64 start of each epoch: that of epoch e is entry e % 64
/// 4096  participant slots, cursor records, ring slots, schema text
/// </code>
/// The words of modes that a queue is not in are zero.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct ControlHeader
{
    public const int Bytes = 4096;
    public const uint ExpectedMagic = 0x31514D42;
    public const uint ExpectedVersion = 2;
    public const uint DurableMode = 1;
    public const uint BoundedMode = 2;
    public const uint SingleProducer = 1;
    public const uint ManyProducers = 2;
    public const uint ChecksumsFeature = 1;
    public const uint KnownFeatures = ChecksumsFeature;
    public const int KeptEpochs = 64;
    public const ulong FirstEpoch = 1;

    [FieldOffset(0)]
    public uint Magic;

    [FieldOffset(4)]
    public uint Version;

    [FieldOffset(8)]
    public uint Mode;

    [FieldOffset(12)]
    public uint ProducersMode;

    [FieldOffset(16)]
    public long SegmentBytes;

    [FieldOffset(24)]
    public uint SlotCount;

    [FieldOffset(28)]
    public uint RequiredFeatures;

    [FieldOffset(32)]
    public ulong Salt;

    [FieldOffset(40)]
    public long CreationTicks;

    [FieldOffset(48)]
    public long ControlBytes;

    [FieldOffset(56)]
    public uint ParticipantSlots;

    [FieldOffset(60)]
    public uint CursorRecords;

    [FieldOffset(64)]
    public uint ContentKind;

    [FieldOffset(68)]
    public uint SchemaTextBytes;

    [FieldOffset(72)]
    public ulong SchemaFingerprint;

    [FieldOffset(80)]
    public uint FlushMode;

    [FieldOffset(84)]
    public uint FlushMessages;

    [FieldOffset(88)]
    public long FlushIntervalTicks;

    [FieldOffset(96)]
    public RetentionWords LastRetention;

    [FieldOffset(128)]
    public int ProducerSlot;

    [FieldOffset(132)]
    public int UsedSlots;

    [FieldOffset(256)]
    public long TailHint;

    [FieldOffset(384)]
    public long OpenSegments;

    [FieldOffset(512)]
    public ulong Waiters;

    [FieldOffset(640)]
    public uint WakeSequence;

    [FieldOffset(768)]
    public ulong SpaceWaiters;

    [FieldOffset(896)]
    public uint SpaceWakeSequence;

    [FieldOffset(1024)]
    public long FirstSegment;

    [FieldOffset(1152)]
    public long DurablePosition;

    [FieldOffset(1280)]
    public long SpaceWaits;

    [FieldOffset(1288)]
    public long Wakes;

    [FieldOffset(1296)]
    public uint FlushFailures;

    [FieldOffset(1304)]
    public long WokenAt;

    [FieldOffset(1312)]
    public long SpaceWokenAt;

    [FieldOffset(1408)]
    public Guid BootId;

    [FieldOffset(1536)]
    public ulong Epoch;

    [FieldOffset(1552)]
    public Guid Id;

    [FieldOffset(1664)]
    public RetentionWords NextRetention;

    [FieldOffset(1692)]
    public uint RetentionSteps;

    [FieldOffset(2048)]
    public StartBuffer EpochStarts;

    /// <summary>The positions where epochs start.</summary>
    [InlineArray(KeptEpochs)]
    public struct StartBuffer
    {
        private long _first;
    }

    /// <summary>Returns the retention. Its words were stored together, even if another process replaces it now, or died while it did.</summary>
    public readonly RetentionWords GetRetention()
    {
        while (true)
        {
            var steps = Volatile.Read(in RetentionSteps);
            var words = IsNextRetention(steps) ? NextRetention : LastRetention;

            // The words are read before the steps are compared.
            Interlocked.MemoryBarrier();
            if (Volatile.Read(in RetentionSteps) == steps)
            {
                return words;
            }
        }
    }

    /// <summary>Replaces the retention: first in the copy that is not current, which the next step makes current, and then in the other one. The caller holds the membership lock.</summary>
    public void SetRetention(in RetentionWords words)
    {
        // A process may have died after its first step.
        if (!IsNextRetention(RetentionSteps))
        {
            NextRetention = words;
            Interlocked.Increment(ref RetentionSteps);
        }

        LastRetention = words;
        Interlocked.Increment(ref RetentionSteps);
    }

    private static bool IsNextRetention(uint steps) => (steps & 1) != 0;
}
