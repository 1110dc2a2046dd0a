using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

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
    private const int SchemaOffset = CursorsOffset + (CursorRecord.Count * CursorRecord.Bytes);
    private const long TotalBytes = SchemaOffset + MaxSchemaTextBytes;

    private readonly MappedFile _file;
    private int _references = 1;

    private ControlFile(string directory, MappedFile file)
    {
        Directory = directory;
        _file = file;
        Header = (ControlHeader*)file.Start;
        SegmentBytes = Header->SegmentBytes;
    }

    /// <summary>The queue's directory.</summary>
    public string Directory { get; }

    /// <summary>The path of the control file.</summary>
    public string Path => _file.Path;

    /// <summary>The size of every segment, checked when the file was opened.</summary>
    public long SegmentBytes { get; }

    public ControlHeader* Header { get; }

    public Span<byte> SchemaText => new(_file.Start + SchemaOffset, MaxSchemaTextBytes);

    /// <summary>Opens a queue's control file, or creates it with the directory around it. Of many creators one wins.</summary>
    public static ControlFile OpenOrCreate(string directory, MessageQueueOptions options)
    {
        var path = System.IO.Path.Combine(directory, FileName);
        if (!File.Exists(path))
        {
            System.IO.Directory.CreateDirectory(System.IO.Path.Combine(directory, LeaseDirectoryName));
            using var registrar = Registrar.Acquire(LeasePath(directory, ParticipantSlot.Registrar), holder: null);
            if (!File.Exists(path))
            {
                RefuseSegmentsWithoutControl(directory, path);
                MappedFile.Create(path, TotalBytes, "creating", file => Initialise((ControlHeader*)file.Start, options));
            }
        }

        var control = Open(directory, path);
        try
        {
            control.RequireGeometry(options);
            return control;
        }
        catch
        {
            control.Release();
            throw;
        }
    }

    public static string LeasePath(string directory, int slot) =>
        System.IO.Path.Combine(directory, LeaseDirectoryName, slot.ToString(CultureInfo.InvariantCulture));

    public ParticipantSlot* Participant(int slot) => (ParticipantSlot*)(_file.Start + ParticipantsOffset) + slot;

    public CursorRecord* Cursor(int index) => (CursorRecord*)(_file.Start + CursorsOffset) + index;

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
            _file.Dispose();
        }
    }

    private static ControlFile Open(string directory, string path)
    {
        MappedFile file;
        try
        {
            file = MappedFile.Open(path);
        }
        catch (InvalidDataException)
        {
            throw new QueueCorruptedException(path, 0, "the control file is empty");
        }

        try
        {
            RequireControlFile(file);
            return new ControlFile(directory, file);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static void Initialise(ControlHeader* header, MessageQueueOptions options)
    {
        header->Magic = ControlHeader.ExpectedMagic;
        header->Version = ControlHeader.ExpectedVersion;
        header->Mode = ControlHeader.DurableMode;
        header->ProducersMode = ControlHeader.SingleProducer;
        header->SegmentBytes = options.SegmentBytes ?? MessageQueueOptions.DefaultSegmentBytes;
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
        Require(file, MessageQueueOptions.IsValidSegmentSize(header->SegmentBytes), 16, $"the segment size {header->SegmentBytes} is impossible");
        Require(file, header->OpenSegments >= 0 && header->OpenSegments <= long.MaxValue / header->SegmentBytes, 384, "the number of segments is impossible");
        Require(file, header->SchemaTextBytes <= MaxSchemaTextBytes, 68, "the schema text is longer than its room");
        if (header->Mode != ControlHeader.DurableMode || header->ProducersMode != ControlHeader.SingleProducer)
        {
            throw new NotSupportedException($"'{file.Path}' is a queue of a mode that this version does not know. Update the BufferedMessages package.");
        }
    }

    // Segments without their control file are the rest of a queue whose geometry and cursors are lost: nothing may be written over them.
    private static void RefuseSegmentsWithoutControl(string directory, string path)
    {
        if (System.IO.Directory.EnumerateFiles(directory, "*" + SegmentLog.Extension).Any())
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

    private void RequireGeometry(MessageQueueOptions options)
    {
        if (options.SegmentBytes is { } bytes && bytes != SegmentBytes)
        {
            throw new ArgumentException(
                $"The queue in '{Directory}' has segments of {SegmentBytes} bytes, not of {bytes}. Leave SegmentBytes unset to open it as it is, or use another directory.",
                nameof(options));
        }
    }
}
