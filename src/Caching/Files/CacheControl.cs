using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The control file, mapped: a page of what the whole cache shares, and a table of the slots. Unmapped when nobody refers to it.</summary>
internal sealed unsafe class CacheControl
{
    private const string TemporarySuffix = "creating";

    private readonly MappedFile _file;

    private CacheControl(string directory, MappedFile file)
    {
        Directory = directory;
        _file = file;
        Header = (ControlHeader*)file.Start;
        SegmentBytes = Header->SegmentBytes;
        SlotCount = Header->Slots;
    }

    /// <summary>The full path of the cache.</summary>
    public string Directory { get; }

    public ControlHeader* Header { get; }

    public long SegmentBytes { get; }

    /// <summary>The length of the table of slots.</summary>
    public int SlotCount { get; }

    /// <summary>Entries of the whole index.</summary>
    public long Entries
    {
        get
        {
            var sum = 0L;
            for (var slot = 0; slot < SlotCount; slot++)
            {
                sum += Volatile.Read(ref Slot(slot).Entries);
            }

            GC.KeepAlive(this);
            return Math.Max(sum, 0);
        }
    }

    public ref SlotState Slot(int slot) => ref ((SlotState*)(_file.Start + ControlHeader.Bytes))[slot];

    /// <summary>Opens the control file, and creates it if there is none. The caller holds the writer's lease.</summary>
    /// <param name="directory">The directory of the cache.</param>
    /// <param name="keyKind">The kind of its keys.</param>
    /// <param name="options">What it is created with.</param>
    /// <exception cref="CacheCorruptedException">The file is not one.</exception>
    /// <exception cref="ArgumentException">The cache was created with other keys, or other segments.</exception>
    /// <exception cref="DiskFullException">There is no room for it.</exception>
    public static CacheControl OpenOrCreate(string directory, int keyKind, MessageCacheOptions options)
    {
        var path = CacheFiles.Control(directory);
        if (!File.Exists(path))
        {
            options.SegmentsOf(options.NewSegmentBytes);
            MappedFile.Create(path, LengthOf(MessageCacheOptions.MaxSegments), TemporarySuffix, file => Initialise((ControlHeader*)file.Start, keyKind, options));
        }

        var control = Open(directory, keyKind, FileAccess.ReadWrite);
        if (options.SegmentBytes is { } asked && asked != control.SegmentBytes)
        {
            throw new ArgumentException(
                $"The cache '{directory}' has segments of {control.SegmentBytes} bytes, not {asked}. Leave SegmentBytes null to accept what exists, or delete the directory.", nameof(options));
        }

        return control;
    }

    /// <summary>Opens the control file of a cache that exists.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <inheritdoc cref="OpenOrCreate" path="/exception"/>
    public static CacheControl Open(string directory, int keyKind, FileAccess access)
    {
        var path = CacheFiles.Control(directory);
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, access, isCollected: true);
        }
        catch (InvalidDataException)
        {
            throw CacheCorruptedException.OfControl(path, "it is empty");
        }

        var header = (ControlHeader*)file.Start;
        var fault = file.Length < ControlHeader.Bytes ? $"it has {file.Length} bytes"
            : header->Magic != ControlHeader.FileMagic ? "it begins with other bytes"
            : header->Version != ControlHeader.FileVersion ? $"it is of version {header->Version}, and this program knows version {ControlHeader.FileVersion}"
            : header->GeometryCheck != header->CheckGeometry() ? "its first bytes are damaged"
            : file.Length != LengthOf(header->Slots) ? $"it has {file.Length} bytes instead of {LengthOf(header->Slots)}"
            : null;
        if (fault is not null)
        {
            file.Dispose();
            throw CacheCorruptedException.OfControl(path, fault);
        }

        if (header->KeyKind != keyKind)
        {
            var other = CacheKey.NameOf(header->KeyKind);
            file.Dispose();
            throw new ArgumentException($"The cache '{directory}' has keys of {other}, not {CacheKey.NameOf(keyKind)}. Open it with that type, or use another directory.");
        }

        return new CacheControl(directory, file);
    }

    private static void Initialise(ControlHeader* header, int keyKind, MessageCacheOptions options)
    {
        header->Magic = ControlHeader.FileMagic;
        header->Version = ControlHeader.FileVersion;
        header->KeyKind = keyKind;
        header->SegmentBytes = options.NewSegmentBytes;
        header->Slots = MessageCacheOptions.MaxSegments;
        header->ActiveSlot = ControlHeader.NoSlot;
        header->CarrySlot = ControlHeader.NoSlot;
        header->GeometryCheck = header->CheckGeometry();
    }

    private static long LengthOf(int slots) => ControlHeader.Bytes + ((long)slots * SlotState.Bytes);
}
