using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The first record of every segment: padding, which describes the segment. A walk over records steps over it.
/// <code>
///  0  record header: padding, 128 bytes
/// 16  u32 magic "BMS1"         20  u16 version              22  u16 bytes of the header
/// 24  u32 required features    28  u32 optional features
/// 32  guid of the queue        48  i64 number of the segment
/// 56  u64 free word            64  u64 schema fingerprint    72  u32 content kind
/// 80  i64 opened, UTC ticks    88  u64 epoch                124  u32 CRC-32C of the bytes 16 to 123
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct SegmentHeader
{
    public const int Bytes = 128;
    private const uint ExpectedMagic = 0x31534D42;
    private const ushort ExpectedVersion = 1;
    private const int CheckOffset = 124;

    [FieldOffset(0)]
    public ulong Word;

    [FieldOffset(8)]
    public ulong SizeAndChecksum;

    [FieldOffset(16)]
    public uint Magic;

    [FieldOffset(20)]
    public ushort Version;

    [FieldOffset(22)]
    public ushort HeaderBytes;

    [FieldOffset(24)]
    public uint RequiredFeatures;

    [FieldOffset(28)]
    public uint OptionalFeatures;

    [FieldOffset(32)]
    public Guid QueueId;

    [FieldOffset(48)]
    public long Number;

    [FieldOffset(56)]
    public ulong FreeWord;

    [FieldOffset(64)]
    public ulong SchemaFingerprint;

    [FieldOffset(72)]
    public uint ContentKind;

    [FieldOffset(80)]
    public long OpenedTicks;

    [FieldOffset(88)]
    public ulong Epoch;

    [FieldOffset(CheckOffset)]
    public uint Check;

    /// <summary>Whether the bytes are those of a header, of any version.</summary>
    public readonly bool IsWhole =>
        Magic == ExpectedMagic && Check == Checked() && RecordWord.State(Word) == RecordWord.Padding && RecordWord.Bytes(Word) == HeaderBytes;

    /// <summary>When the segment was opened: not after the first message in it was published.</summary>
    public readonly DateTimeOffset Opened => new(Math.Clamp(OpenedTicks, DateTime.MinValue.Ticks, DateTime.MaxValue.Ticks), TimeSpan.Zero);

    /// <summary>Describes a segment that is being opened, or whose header is made anew.</summary>
    /// <param name="control">The queue.</param>
    /// <param name="number">The number of the segment.</param>
    /// <param name="freeWord">The word of its free places.</param>
    public static SegmentHeader Of(ControlMap control, long number, ulong freeWord)
    {
        ref var queue = ref control.Header;
        var word = RecordWord.Compose(RecordWord.Padding, ParticipantSlot.MembershipLock, Bytes);
        var header = new SegmentHeader
        {
            Word = word,
            SizeAndChecksum = control.HasChecksums ? RecordChecksum.OfPadding(number * control.SegmentBytes, word) : 0,
            Magic = ExpectedMagic,
            Version = ExpectedVersion,
            HeaderBytes = Bytes,
            QueueId = control.Id,
            Number = number,
            FreeWord = freeWord,
            SchemaFingerprint = queue.SchemaFingerprint,
            ContentKind = Volatile.Read(ref queue.ContentKind),
            OpenedTicks = DateTime.UtcNow.Ticks,
            Epoch = (ulong)control.IdOf(number * control.SegmentBytes).Epoch,
        };
        header.Check = header.Checked();
        return header;
    }

    /// <summary>
    /// Whether the record has the checksum of padding at a position, as in a queue with checksums. False if that checksum is 0, as it is in every other queue: where checksums are assumed by
    /// mistake, every message counts as damaged.
    /// </summary>
    public readonly bool HasChecksum(long position) => SizeAndChecksum != 0 && SizeAndChecksum == RecordChecksum.OfPadding(position, Word);

    /// <summary>Whether it is the header of a segment of a queue, of a version that this program knows.</summary>
    public readonly bool IsOf(ControlMap control, long number) =>
        IsWhole && Version <= ExpectedVersion && RequiredFeatures == 0 && RecordWord.State(FreeWord) == RecordWord.Free
        && QueueId == control.Id && Number == number;

    /// <summary>Whether a newer version wrote the header, so that this one cannot tell which segment it is.</summary>
    public readonly bool IsNewer => IsWhole && (Version > ExpectedVersion || RequiredFeatures != 0);

    /// <summary>Whether it is surely the header of another segment, or of another queue.</summary>
    public readonly bool IsOfOther(ControlMap control, long number) => IsWhole && !IsNewer && (QueueId != control.Id || Number != number);

    /// <summary>Requires the header to be that of a segment of a queue.</summary>
    /// <exception cref="QueueCorruptedException">It is damaged, or that of another segment or queue.</exception>
    /// <exception cref="NotSupportedException">A newer version wrote it.</exception>
    /// <exception cref="StaleQueueException">It is that of another queue, which is in the place of this one.</exception>
    public readonly void Require(ControlMap control, long number, string path)
    {
        var position = number * control.SegmentBytes;
        if (!IsWhole)
        {
            throw new QueueCorruptedException(path, position, "the header of the segment is damaged");
        }

        if (Version > ExpectedVersion)
        {
            throw NewerFormat.OfVersion(path, Version, ExpectedVersion);
        }

        NewerFormat.RefuseUnknown(path, RequiredFeatures);
        if (RecordWord.State(FreeWord) != RecordWord.Free)
        {
            throw new QueueCorruptedException(path, position, $"0x{FreeWord:X16} cannot be the word of free places");
        }

        if (QueueId != control.Id || Number != number)
        {
            control.RequireFile();
            throw new QueueCorruptedException(
                path, position, $"this is segment {Number} of the queue {QueueId}, not segment {number} of the queue {control.Id}. Put the files of one queue back together");
        }
    }

    // SAFETY: The span has the size of the header. MemoryMarshal.AsBytes would be compiled when a program opens its first segment.
    private readonly uint Checked() => ~Crc32C.Append(
        Crc32C.Start, MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<SegmentHeader, byte>(ref Unsafe.AsRef(in this)), Bytes)[RecordWord.HeaderBytes..CheckOffset]);
}
