using System.Runtime.InteropServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The memory map of a queue's control file: the values fixed at creation, and the tables. It is shared by a queue handle and all participants
/// opened from it, and is closed when the last of them releases it.
/// </summary>
internal sealed class ControlMap
{
    public const string FileName = "control";

    /// <summary>Bytes kept for the schema text.</summary>
    public const int MaxSchemaTextBytes = 256 * 1024;

    public const string LeaseDirectoryName = "leases";

    /// <summary>Where the participant slots are.</summary>
    public const int ParticipantsOffset = ControlHeader.Bytes;

    /// <summary>Where the cursor records are.</summary>
    public const int CursorsOffset = ParticipantsOffset + (ParticipantSlot.Count * ParticipantSlot.Bytes);
    private const int RingSlotsOffset = CursorsOffset + (CursorRecord.Count * CursorRecord.Bytes);

    /// <summary>Where the schema text is.</summary>
    public const int SchemaOffset = RingSlotsOffset + (Queues.RingSlot.MaxCount * Queues.RingSlot.Bytes);

    /// <summary>Bytes of the file.</summary>
    public const long TotalBytes = SchemaOffset + MaxSchemaTextBytes;

    private readonly MappedFile _file;
    private readonly MappedSpan _span;
    private readonly SharedRecord<ControlHeader> _header;
    private readonly List<IDisposable> _dependents = [];
    private int _references = 1;

    // The failures of flushes after which this file was written to the disk again: a flush alone is not trusted to write the pages of one that failed.
    private uint _mendedFailures;
    private LostFile? _loss;

    private ControlMap(string directory, MappedFile file, FileAccess access)
    {
        Directory = directory;
        Access = access;
        Permissions = file.Permissions;
        _file = file;
        _span = file.Span;
        _header = _span.Record<ControlHeader>(0);
        SegmentBytes = Header.SegmentBytes;
        Slots = (int)Header.SlotCount;
        Mode = (QueueMode)Header.Mode;
        Producers = (ProducerMode)Header.ProducersMode;
        Salt = Header.Salt;
        Id = Header.Id;
        HasChecksums = (Header.RequiredFeatures & ControlHeader.ChecksumsFeature) != 0;
        Flush = (FlushMode)Header.FlushMode;
    }

    /// <summary>The queue's directory.</summary>
    public string Directory { get; }

    /// <summary>The path of the control file.</summary>
    public string Path => _file.Path;

    /// <summary>How the queue's files are mapped.</summary>
    public FileAccess Access { get; }

    /// <summary>The permissions of the control file when it was opened. All files of the queue are created with them, by any user.</summary>
    public FilePermissions Permissions { get; }

    /// <summary>The mapping cannot be written to.</summary>
    public bool IsReadOnly => Access == FileAccess.Read;

    /// <summary>The size of every segment, checked when the file was opened.</summary>
    public long SegmentBytes { get; }

    /// <summary>How many slots a bounded queue has, checked when the file was opened.</summary>
    public int Slots { get; }

    public QueueMode Mode { get; }

    public ProducerMode Producers { get; }

    /// <summary>A random number of this queue.</summary>
    public ulong Salt { get; }

    /// <summary>Identifies the queue among all others.</summary>
    public Guid Id { get; }

    /// <summary>An exception for the loss of the queue's files that was noticed; null if there is none.</summary>
    public StaleQueueException? Loss => _loss is { } loss ? new StaleQueueException(Directory, loss.Path, loss.What) : null;

    /// <summary>The current epoch.</summary>
    public long Epoch => (long)Volatile.Read(ref Header.Epoch);

    /// <summary>Records carry checksums.</summary>
    public bool HasChecksums { get; }

    public FlushMode Flush { get; }

    public ref ControlHeader Header => ref _header.Value;

    public TimeSpan FlushInterval => TimeSpan.FromTicks(Header.FlushIntervalTicks);

    public int FlushMessages => (int)Header.FlushMessages;

    /// <summary>The number of participant slots that were ever in use. A damaged word does not make it more than there are.</summary>
    public int UsedSlots => Math.Min(Volatile.Read(ref Header.UsedSlots), ParticipantSlot.Count);

    /// <summary>The position before which everything is on the disk.</summary>
    public long DurablePosition => Volatile.Read(ref Header.DurablePosition);

    public Span<byte> SchemaText => _span.Bytes(SchemaOffset, MaxSchemaTextBytes);

    /// <summary>Creates a control file. The caller holds the membership lock, and no file with the name is there.</summary>
    public static void Create(string directory, QueueGeometry geometry, MessageQueueOptions options, FilePermissions permissions, string name = FileName) => MappedFile.Create(
        System.IO.Path.Combine(directory, name), TotalBytes, permissions, "creating", file => Initialise(ref file.Span.Record<ControlHeader>(0).Value, geometry, options));

    public static string LeasePath(string directory, int slot) => System.IO.Path.Combine(directory, LeaseDirectoryName, $"{slot}");

    public ref ParticipantSlot Participant(int slot) => ref ParticipantRecord(slot).Value;

    public ref CursorRecord Cursor(int index) => ref NameRecord(index).Value;

    public ref RingSlot RingSlot(int index) => ref _span.Record<RingSlot>(RingSlotsOffset, index).Value;

    /// <summary>The slot of a participant, to be held.</summary>
    public SharedRecord<ParticipantSlot> ParticipantRecord(int slot) => _span.Record<ParticipantSlot>(ParticipantsOffset, slot);

    /// <summary>The record of a name, to be held.</summary>
    public SharedRecord<CursorRecord> NameRecord(int index) => _span.Record<CursorRecord>(CursorsOffset, index);

    /// <summary>Creates the directory of the leases if it does not exist.</summary>
    public static void CreateLeaseDirectory(string directory, FilePermissions permissions) => permissions.CreateFolder(System.IO.Path.Combine(directory, LeaseDirectoryName));

    /// <summary>The options that would create such a queue, without permissions.</summary>
    public MessageQueueOptions GetOptions()
    {
        var isDurable = Mode == QueueMode.Durable;
        return new MessageQueueOptions
        {
            Mode = Mode,
            Producers = Producers,
            SegmentBytes = SegmentBytes,
            Slots = isDurable ? null : Slots,
            Flush = Flush,
            FlushInterval = Flush == FlushMode.Interval ? FlushInterval : null,
            FlushMessages = Flush == FlushMode.Interval ? FlushMessages : null,
            Retention = isDurable ? Header.GetRetention().ToRetention() : null,
        };
    }

    /// <summary>The id of the message at a position.</summary>
    public MessageId IdOf(long position)
    {
        var epoch = Epoch;
        var oldest = Math.Max(epoch - ControlHeader.KeptEpochs + 1, (long)ControlHeader.FirstEpoch);
        while (epoch > oldest && Header.EpochStarts[(int)(epoch % ControlHeader.KeptEpochs)] > position)
        {
            epoch--;
        }

        return new MessageId(Id, epoch, position);
    }

    /// <summary>The offset of a part in the file.</summary>
    public long OffsetOf<T>(ref readonly T part) => _span.OffsetOf(in part);

    /// <summary>Bytes of the file.</summary>
    public Span<byte> BytesAt(long offset, int length) => _span.Bytes(offset, length);

    /// <summary>Does the same as <see cref="FlushToDisk"/>, unless the queue has no flush mode, and no message was ever flushed: a crash of the machine may take all of it then.</summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    public void FlushIfAsked()
    {
        if (Flush != FlushMode.None || Volatile.Read(ref Header.DurablePosition) != 0)
        {
            FlushToDisk();
        }
    }

    /// <summary>Writes the control file to the disk: the positions of consumers, above all.</summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    public void FlushToDisk()
    {
        var failures = Volatile.Read(ref Header.FlushFailures);
        if (failures != Volatile.Read(ref _mendedFailures))
        {
            _file.MarkDirty(0, TotalBytes);
        }

        try
        {
            _file.Flush();
            Volatile.Write(ref _mendedFailures, failures);
        }
        catch (IOException exception)
        {
            Interlocked.Increment(ref Header.FlushFailures);
            throw new FlushFailedException(Directory, DurablePosition, exception);
        }
    }

    /// <summary>Keeps the first loss that is noticed.</summary>
    /// <param name="path">The file.</param>
    /// <param name="loss">Its loss; null if it is as it was opened.</param>
    public void NoteLoss(string path, string? loss)
    {
        if (loss is not null)
        {
            _loss ??= new LostFile(path, loss);
        }
    }

    /// <summary>The control file was cut: touching a byte that was cut off ends the process. A participant that closes leaves its words as they are then.</summary>
    public bool IsCut => _file.FindCut() is not null;

    /// <summary>Requires the control file at the path to be the one that is mapped: from its loss on, the files there may be those of another queue.</summary>
    /// <exception cref="StaleQueueException">It was deleted, replaced or truncated.</exception>
    public void RequireFile()
    {
        NoteLoss(Path, FindLoss());
        if (Loss is { } loss)
        {
            throw loss;
        }
    }

    /// <summary>Requires a control file that was opened later at the same path to be that of the same queue.</summary>
    /// <exception cref="StaleQueueException">It is that of another one.</exception>
    public void RequireId(ControlMap later)
    {
        if (later.Id != Id)
        {
            throw new StaleQueueException(Directory, Path, MappedFile.Replaced);
        }
    }

    /// <summary>The machine stopped since the queue was last used, and the queue is not repaired yet. If it is, the caller reads no word from before that: the repair stores the boot id last.</summary>
    public bool MayBeTorn
    {
        get
        {
            var mayBeTorn = Mode == QueueMode.Durable && Header.BootId != MachineBoot.Id;
            Volatile.ReadBarrier();
            return mayBeTorn;
        }
    }

    /// <summary>The loss of the control file; null if it is as it was opened.</summary>
    public string? FindLoss() => _file.FindLoss() ?? (Header.Id == Id ? null : MappedFile.Replaced);

    /// <summary>Keeps the mapping for one more user; false if it is closed already.</summary>
    public bool TryAddReference()
    {
        var seen = Volatile.Read(ref _references);
        while (seen > 0)
        {
            var found = Interlocked.CompareExchange(ref _references, seen + 1, seen);
            if (found == seen)
            {
                return true;
            }

            seen = found;
        }

        return false;
    }

    /// <summary>Adds an object that is disposed when the map is closed, before those that were added earlier. Not thread-safe.</summary>
    public void DisposeWithMap(IDisposable dependent) => _dependents.Insert(0, dependent);

    /// <summary>Releases one use; the last release closes the map.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _references) == 0)
        {
            _dependents.ForEach(static dependent => dependent.Dispose());
            _file.Dispose();
        }
    }

    /// <summary>Opens the control file of a queue that exists, as it is.</summary>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    public static ControlMap Open(string directory, FileAccess access = FileAccess.ReadWrite, string name = FileName)
    {
        var path = System.IO.Path.Combine(directory, name);
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, access);
        }
        catch (FileNotFoundException exception)
        {
            throw new FileNotFoundException($"No queue was found in '{directory}'. Look for its path with MessageQueue.List, or create it with MessageQueue.Open.", path, exception);
        }
        catch (InvalidDataException)
        {
            throw new QueueCorruptedException(path, 0, "the control file is empty, or not a regular file");
        }

        try
        {
            RequireControlFile(file);
            return new ControlMap(directory, file, access);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static void Initialise(ref ControlHeader header, QueueGeometry geometry, MessageQueueOptions options)
    {
        header.Magic = ControlHeader.ExpectedMagic;
        header.Version = ControlHeader.ExpectedVersion;
        header.Mode = (uint)geometry.Mode;
        header.ProducersMode = (uint)geometry.Producers;
        header.SegmentBytes = geometry.SegmentBytes;
        header.SlotCount = (uint)geometry.Slots;
        header.RequiredFeatures = geometry.Flush == FlushMode.None ? 0 : ControlHeader.ChecksumsFeature;
        header.FlushMode = (uint)geometry.Flush;
        header.FlushMessages = (uint)geometry.FlushMessages;
        header.FlushIntervalTicks = geometry.FlushInterval.Ticks;
        header.LastRetention = options.Retention is { } retention ? RetentionWords.Of(retention) : default;
        header.BootId = geometry.Mode == QueueMode.Durable ? MachineBoot.Id : Guid.Empty;
        header.CreationTicks = DateTime.UtcNow.Ticks;
        header.Id = Guid.NewGuid();
        header.Epoch = ControlHeader.FirstEpoch;
        header.ControlBytes = TotalBytes;
        header.ParticipantSlots = ParticipantSlot.Count;
        header.CursorRecords = CursorRecord.Count;
        System.Security.Cryptography.RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(new Span<ulong>(ref header.Salt)));
    }

    private static void RequireControlFile(MappedFile file)
    {
        Require(file, file.Length >= ControlHeader.Bytes, 0, "the file is shorter than a control file's first page");
        ref var header = ref file.Span.Record<ControlHeader>(0).Value;
        Require(file, header.Magic == ControlHeader.ExpectedMagic, 0, "this is not the control file of a queue");
        if (header.Version < ControlHeader.ExpectedVersion)
        {
            throw new NotSupportedException(
                $"'{file.Path}' is of format version {header.Version}, from before the first release; this program knows version {ControlHeader.ExpectedVersion}. " +
                "Read the queue to its end with the program that wrote it, and delete it.");
        }

        if (header.Version > ControlHeader.ExpectedVersion)
        {
            throw NewerFormat.OfVersion(file.Path, header.Version, ControlHeader.ExpectedVersion);
        }

        NewerFormat.RefuseUnknown(file.Path, header.RequiredFeatures & ~ControlHeader.KnownFeatures);
        NewerFormat.RefuseUnknown(file.Path, header.GetRetention().Flags & ~RetentionWords.KnownFlags);
        if (header.ContentKind > (uint)ContentKind.Value)
        {
            throw NewerFormat.OfContent(file.Path, $"content of the kind {header.ContentKind}");
        }

        Require(file, header.ControlBytes == TotalBytes && file.Length == TotalBytes, 48, $"the file has {file.Length} bytes instead of {TotalBytes}");
        Require(file, header.ParticipantSlots == ParticipantSlot.Count && header.CursorRecords == CursorRecord.Count, 56, "the tables have impossible sizes");
        Require(file, header.Mode is ControlHeader.DurableMode or ControlHeader.BoundedMode, 8, $"the mode {header.Mode} is unknown");
        Require(file, header.ProducersMode is ControlHeader.SingleProducer or ControlHeader.ManyProducers, 12, $"the producers mode {header.ProducersMode} is unknown");
        Require(file, header.FlushMode <= (uint)FlushMode.EveryMessage, 80, $"the flush mode {header.FlushMode} is unknown");
        Require(file, (header.FlushMode != (uint)FlushMode.None) == (header.RequiredFeatures != 0), 28, "a queue has checksums if it has a flush mode, and only then");
        Require(file, QueueGeometry.IsValidSegmentSize(header.SegmentBytes), 16, $"the segment size {header.SegmentBytes} is impossible");
        Require(
            file,
            header.Mode == ControlHeader.DurableMode ? header.SlotCount == 0 : header.SlotCount is >= Queues.RingSlot.MinCount and <= Queues.RingSlot.MaxCount,
            24,
            $"the number of slots {header.SlotCount} is impossible");
        Require(file, header.OpenSegments >= 0 && header.OpenSegments <= long.MaxValue / header.SegmentBytes, 384, "the number of segments is impossible");
        Require(file, IsPossibleFirst(file, in header), 1024, "the number of the first segment is impossible");
        Require(file, header.DurablePosition >= 0 && header.DurablePosition % RecordWord.Alignment == 0, 1152, "the durable position is impossible");
        Require(file, header.FlushIntervalTicks > 0 && header.FlushMessages is > 0 and <= int.MaxValue, 84, "the flush interval is impossible");
        Require(file, header.SchemaTextBytes <= MaxSchemaTextBytes, 68, "the schema text is longer than its room");
        Require(file, header.Epoch >= ControlHeader.FirstEpoch && header.Id != Guid.Empty, 1536, "the queue has no identity");
    }

    // After a crash of the machine the disk may have the number of segments from before that of the first one. The repair corrects both.
    private static bool IsPossibleFirst(MappedFile file, ref readonly ControlHeader header) =>
        header.FirstSegment >= 0
        && (header.FirstSegment <= Math.Max(header.OpenSegments - 1, 0)
            || (header.Mode == ControlHeader.DurableMode && header.BootId != MachineBoot.Id && header.FirstSegment <= long.MaxValue / header.SegmentBytes
                && File.Exists(SegmentFileName.In(System.IO.Path.GetDirectoryName(file.Path)!, header.FirstSegment * header.SegmentBytes))));

    private sealed record LostFile(string Path, string What);

    private static void Require(MappedFile file, bool condition, long position, string fault)
    {
        if (!condition)
        {
            throw new QueueCorruptedException(file.Path, position, fault);
        }
    }
}
