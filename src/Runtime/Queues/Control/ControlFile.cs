using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Queues;

/// <summary>
/// The mapped control file of a queue, shared by a queue handle and all participants opened from it. It is unmapped when the last
/// of them lets go, so a disposed queue handle does not disturb its participants.
/// </summary>
internal sealed unsafe class ControlFile
{
    public const string FileName = "control";

    /// <summary>Bytes kept for the schema text.</summary>
    public const int MaxSchemaTextBytes = 256 * 1024;

    private const string LeaseDirectoryName = "leases";
    private const int ParticipantsOffset = ControlHeader.Bytes;
    private const int CursorsOffset = ParticipantsOffset + (ParticipantSlot.Count * ParticipantSlot.Bytes);
    private const int RingSlotsOffset = CursorsOffset + (CursorRecord.Count * CursorRecord.Bytes);
    /// <summary>Where the schema text lies.</summary>
    public const int SchemaOffset = RingSlotsOffset + (Queues.RingSlot.MaxCount * Queues.RingSlot.Bytes);
    private const long TotalBytes = SchemaOffset + MaxSchemaTextBytes;

    private readonly MappedFile _file;
    private int _references = 1;

    private ControlFile(string directory, MappedFile file, FileAccess access)
    {
        Directory = directory;
        Access = access;
        _file = file;
        Header = (ControlHeader*)file.Start;
        SegmentBytes = Header->SegmentBytes;
        Slots = (int)Header->SlotCount;
        Mode = (QueueMode)Header->Mode;
        Producers = (ProducerMode)Header->ProducersMode;
        Salt = Header->Salt;
        HasChecksums = (Header->Flags & ControlHeader.ChecksumsFlag) != 0;
        Flush = (FlushMode)Header->FlushMode;
        Segments = SegmentStore.For(this);
        RecordWaits = new AsyncWaits(this, WakeSignal.ForRecords(this));
        SpaceWaits = new AsyncWaits(this, WakeSignal.ForSpace(this));
        Flusher = new Flusher(this);
        IntervalFlusher = Flush == FlushMode.Interval ? new IntervalFlusher(this) : null;
    }

    /// <summary>The queue's directory.</summary>
    public string Directory { get; }

    /// <summary>The path of the control file.</summary>
    public string Path => _file.Path;

    /// <summary>How the queue's files are mapped.</summary>
    public FileAccess Access { get; }

    /// <summary>Nothing may be written, and nothing is.</summary>
    public bool IsReadOnly => Access == FileAccess.Read;

    /// <summary>The size of every segment, checked when the file was opened.</summary>
    public long SegmentBytes { get; }

    /// <summary>How many slots a bounded queue has, checked when the file was opened.</summary>
    public int Slots { get; }

    public QueueMode Mode { get; }

    public ProducerMode Producers { get; }

    /// <summary>A random number of this queue.</summary>
    public ulong Salt { get; }

    /// <summary>Tells the queue apart from others. Made of its salt and its time of creation, without giving the salt away.</summary>
    public Guid Id
    {
        get
        {
            ReadOnlySpan<ulong> origin = [Salt, (ulong)Header->CreationTicks, 0, Salt];
            Span<ulong> id = [XxHash64.Hash(MemoryMarshal.AsBytes(origin[..2])), XxHash64.Hash(MemoryMarshal.AsBytes(origin))];
            return new Guid(MemoryMarshal.AsBytes(id));
        }
    }

    /// <summary>Records carry checksums.</summary>
    public bool HasChecksums { get; }

    public FlushMode Flush { get; }

    public ControlHeader* Header { get; }

    /// <summary>Where the records are.</summary>
    public SegmentStore Segments { get; }

    /// <summary>The asynchronous waits of consumers.</summary>
    public AsyncWaits RecordWaits { get; }

    /// <summary>The asynchronous waits of producers.</summary>
    public AsyncWaits SpaceWaits { get; }

    /// <summary>Writes the segments to the disk (durable).</summary>
    public Flusher Flusher { get; }

    /// <summary>Does that in the background, where the queue is made so.</summary>
    public IntervalFlusher? IntervalFlusher { get; }

    /// <summary>What was repaired when this handle was opened.</summary>
    public QueueRecovery? Recovery { get; private set; }

    public Span<byte> SchemaText => new(_file.Start + SchemaOffset, MaxSchemaTextBytes);

    /// <summary>Opens a queue's control file, or creates it with the directory around it. Of many creators one wins.</summary>
    public static ControlFile OpenOrCreate(string directory, MessageQueueOptions options, QueueMode defaultMode = QueueMode.Durable)
    {
        QueueGeometry.RequireValid(options);
        var path = System.IO.Path.Combine(directory, FileName);
        if (!File.Exists(path))
        {
            // Options that contradict each other are refused before anything is touched.
            var geometry = new QueueGeometry(options, defaultMode);
            CreateLeaseDirectory(directory);
            FaultPoints.Hit(FaultPoint.DirectoryCreated);
            using var registrar = Registrar.Acquire(LeasePath(directory, ParticipantSlot.Registrar), holder: null);
            if (!File.Exists(path))
            {
                RefuseSegmentsWithoutControl(directory, path);
                if (geometry.Mode == QueueMode.Bounded)
                {
                    RingSegments.CreateFile(directory, geometry.Slots * geometry.SegmentBytes);
                    FaultPoints.Hit(FaultPoint.RingCreated);
                }

                MappedFile.Create(path, TotalBytes, "creating", file => Initialise((ControlHeader*)file.Start, geometry, options));
            }
        }

        var control = Open(directory);
        try
        {
            QueueGeometry.Require(control, options);
            control.RecoverIfNeeded();
            Retention.Replace(control, options.Retention);
            return control;
        }
        catch
        {
            control.Release();
            throw;
        }
    }

    /// <summary>Repairs the queue if the machine stopped since it was used last.</summary>
    public void RecoverIfNeeded()
    {
        if (CrashRecovery.RunIfNeeded(this) is { } recovery)
        {
            Recovery = recovery;
        }
    }

    public static string LeasePath(string directory, int slot) =>
        System.IO.Path.Combine(directory, LeaseDirectoryName, slot.ToString(CultureInfo.InvariantCulture));

    public ParticipantSlot* Participant(int slot) => (ParticipantSlot*)(_file.Start + ParticipantsOffset) + slot;

    public CursorRecord* Cursor(int index) => (CursorRecord*)(_file.Start + CursorsOffset) + index;

    public RingSlot* RingSlot(int index) => (RingSlot*)(_file.Start + RingSlotsOffset) + index;

    /// <summary>Makes the directory of the leases, unless it is there.</summary>
    public static void CreateLeaseDirectory(string directory) => System.IO.Directory.CreateDirectory(System.IO.Path.Combine(directory, LeaseDirectoryName));

    /// <summary>Where in the file a part of it lies.</summary>
    public long OffsetOf(void* part) => (byte*)part - _file.Start;

    /// <summary>Writes the control file to the disk: the positions of consumers, above all.</summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    public void FlushToDisk()
    {
        try
        {
            _file.Flush();
        }
        catch (IOException exception)
        {
            throw new FlushFailedException(Directory, Flusher.DurablePosition, exception);
        }
    }

    /// <summary>Keeps the mapping for one more user; false when it is gone already.</summary>
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

    /// <summary>Lets go; the last user unmaps the file.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _references) == 0)
        {
            IntervalFlusher?.Dispose();
            Flusher.Dispose();
            Segments.Dispose();
            _file.Dispose();
        }
    }

    /// <summary>Opens the control file of a queue that exists, as it is.</summary>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    public static ControlFile Open(string directory, FileAccess access = FileAccess.ReadWrite)
    {
        var path = System.IO.Path.Combine(directory, FileName);
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, access);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new FileNotFoundException($"There is no queue in '{directory}'. Look for its path with MessageQueue.List, or create it with MessageQueue.Open.", path, exception);
        }
        catch (InvalidDataException)
        {
            throw new QueueCorruptedException(path, 0, "the control file is empty");
        }

        try
        {
            RequireControlFile(file);
            return new ControlFile(directory, file, access);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static void Initialise(ControlHeader* header, QueueGeometry geometry, MessageQueueOptions options)
    {
        header->Magic = ControlHeader.ExpectedMagic;
        header->Version = ControlHeader.ExpectedVersion;
        header->Mode = (uint)geometry.Mode;
        header->ProducersMode = (uint)geometry.Producers;
        header->SegmentBytes = geometry.SegmentBytes;
        header->SlotCount = (uint)geometry.Slots;
        header->Flags = geometry.Flush == FlushMode.None ? 0 : ControlHeader.ChecksumsFlag;
        header->FlushMode = (uint)geometry.Flush;
        header->FlushMessages = (uint)options.FlushMessages;
        header->FlushIntervalTicks = options.FlushInterval.Ticks;
        Retention.Store(header, options.Retention);
        header->BootId = geometry.Mode == QueueMode.Durable ? MachineBoot.Id : 0;
        header->CreationTicks = DateTime.UtcNow.Ticks;
        header->ControlBytes = TotalBytes;
        header->ParticipantSlots = ParticipantSlot.Count;
        header->CursorRecords = CursorRecord.Count;
        System.Security.Cryptography.RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(new Span<ulong>(ref header->Salt)));
    }

    private static void RequireControlFile(MappedFile file)
    {
        var header = (ControlHeader*)file.Start;
        Require(file, file.Length >= ControlHeader.Bytes, 0, "the file is shorter than a control file's first page");
        Require(file, header->Magic == ControlHeader.ExpectedMagic, 0, "this is not the control file of a queue");
        if (header->Version != ControlHeader.ExpectedVersion)
        {
            throw new NotSupportedException(
                $"'{file.Path}' is of format version {header->Version}; this program knows version {ControlHeader.ExpectedVersion}. Update the BufferedMessages package.");
        }

        Require(file, header->ControlBytes == TotalBytes && file.Length == TotalBytes, 48, $"the file has {file.Length} bytes instead of {TotalBytes}");
        Require(file, header->ParticipantSlots == ParticipantSlot.Count && header->CursorRecords == CursorRecord.Count, 56, "the tables have impossible sizes");
        Require(file, header->Mode is ControlHeader.DurableMode or ControlHeader.BoundedMode, 8, $"the mode {header->Mode} is unknown");
        Require(file, header->ProducersMode is ControlHeader.SingleProducer or ControlHeader.ManyProducers, 12, $"the producers mode {header->ProducersMode} is unknown");
        Require(file, header->FlushMode <= (uint)FlushMode.EveryMessage, 80, $"the flush mode {header->FlushMode} is unknown");
        Require(file, QueueGeometry.IsValidSegmentSize(header->SegmentBytes), 16, $"the segment size {header->SegmentBytes} is impossible");
        Require(
            file,
            header->Mode == ControlHeader.DurableMode ? header->SlotCount == 0 : header->SlotCount is >= Queues.RingSlot.MinCount and <= Queues.RingSlot.MaxCount,
            24,
            $"the number of slots {header->SlotCount} is impossible");
        Require(file, header->OpenSegments >= 0 && header->OpenSegments <= long.MaxValue / header->SegmentBytes, 384, "the number of segments is impossible");
        Require(file, header->FirstSegment >= 0 && header->FirstSegment <= Math.Max(header->OpenSegments - 1, 0), 1024, "the number of the first segment is impossible");
        Require(file, header->DurablePosition >= 0 && header->DurablePosition % RecordWord.Alignment == 0, 1152, "the durable position is impossible");
        Require(file, header->FlushIntervalTicks > 0 && header->FlushMessages is > 0 and <= int.MaxValue, 84, "the flush interval is impossible");
        Require(file, header->SchemaTextBytes <= MaxSchemaTextBytes, 68, "the schema text is longer than its room");
    }

    // Segments without their control file are the rest of a queue whose geometry and cursors are lost: nothing may be written over them.
    // A ring is different: its messages end with its control file, and one that stands alone was left by a creator that died.
    private static void RefuseSegmentsWithoutControl(string directory, string path)
    {
        if (System.IO.Directory.EnumerateFiles(directory, "*" + FileSegments.Extension).Any())
        {
            throw new QueueCorruptedException(path, 0, "the control file is missing, but segments are there");
        }
    }

    private static void Require(MappedFile file, bool condition, long position, string fault)
    {
        if (!condition)
        {
            throw new QueueCorruptedException(file.Path, position, fault);
        }
    }
}
