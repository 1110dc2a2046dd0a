using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The control file, mapped: a page that the whole cache shares, and tables of the slots. It is unmapped when nothing refers to this object.</summary>
internal sealed class CacheControl
{
    /// <summary>The number of lanes that have a table of counts.</summary>
    public const int CountLanes = 9;

    // The words of a lane for eight slots fill a line of the processor's cache. The lines of all lanes for them are side by side, so that a cache with few segments uses few pages.
    private const int SlotsInLine = 8;

    private readonly MappedFile _file;

    private CacheControl(string directory, MappedFile file)
    {
        Directory = directory;
        _file = file;
        Permissions = file.Permissions;
        SegmentBytes = HeaderOf(file).SegmentBytes;
        SlotCount = HeaderOf(file).Slots;
        Debug.Assert(file.Length == LengthOf(SlotCount), "A slot would be outside the file.");
    }

    /// <summary>Gets the full path of the cache.</summary>
    public string Directory { get; }

    /// <summary>Gets the permissions of the control file when it was opened. All files of the cache are created with them, by any user.</summary>
    public FilePermissions Permissions { get; }

    /// <summary>Gets the first page. The caller keeps this object alive while it uses the reference.</summary>
    public ref ControlHeader Header => ref HeaderOf(_file);

    public long SegmentBytes { get; }

    /// <summary>Gets the length of the table of slots.</summary>
    public int SlotCount { get; }

    /// <summary>Gets the number of entries in the index.</summary>
    public long Entries => Sum(static counts => SlotState.EntriesOf(counts));

    /// <summary>Gets the bytes of the records to which entries lead.</summary>
    public long LiveBytes => Sum(SlotState.LiveBytesOf);

    /// <summary>Gets whether the sequence numbers can be those that a process has left. Noise cannot be distinguished from numbers that are too large, which are harmless.</summary>
    public bool HasPossibleSequences
    {
        get
        {
            ref var header = ref Header;
            var isPossible = HasPossibleClear && header.IndexGeneration <= ControlHeader.MaxGeneration;
            for (var slot = 0; slot < SlotCount && isPossible; slot++)
            {
                ref var state = ref Slot(slot);
                isPossible = state.State != SlotState.Open || state.OpenSequence <= header.Sequence;
            }

            GC.KeepAlive(this);
            return isPossible;
        }
    }

    /// <summary>Gets whether the sequence number of the last clear can be one that a process has left. After a crash of the machine it is, although segments may have larger numbers than this file.</summary>
    public bool HasPossibleClear
    {
        get
        {
            ref var header = ref Header;
            var isPossible = header.Sequence <= ControlHeader.MaxSequence && header.ClearedSequence <= header.Sequence;
            GC.KeepAlive(this);
            return isPossible;
        }
    }

    /// <summary>Gets whether a process has opened the cache for writing before: there is an index, or there was one.</summary>
    public bool WasOpened
    {
        get
        {
            ref var header = ref Header;
            var wasOpened = Volatile.Read(ref header.IndexGeneration) != 0 || header.Boot != default;
            GC.KeepAlive(this);
            return wasOpened;
        }
    }

    // SAFETY: Open has checked that the file holds SlotCount slots; callers compare slots from other files with it.
    public unsafe ref SlotState Slot(int slot)
    {
        Debug.Assert((uint)slot < (uint)SlotCount, "The slot is outside the file.");
        return ref ((SlotState*)(_file.Start + ControlHeader.Bytes))[slot];
    }

    /// <summary>
    /// Gets the entries that lead to a segment, in the lower half, and the units of their records, in the upper half. They are the sum, without overflow checks, of the slot's word
    /// and of one word for each lane, so that threads in different lanes change different lines of the processor's cache, and need no interlocked operation.
    /// </summary>
    public long ReadCounts(int slot)
    {
        var sum = Volatile.Read(ref Slot(slot).Counts);
        for (var lane = 0; lane < CountLanes; lane++)
        {
            sum += Volatile.Read(ref CountsOf(lane, slot));
        }

        return sum;
    }

    /// <summary>Adds to the counts of a segment. One store changes them, so a killed process leaves either both counted or none.</summary>
    /// <param name="slot">The slot of the segment.</param>
    /// <param name="lane">The lane that the caller has taken; another number if it has none.</param>
    /// <param name="counts">The counts to add.</param>
    public void AddCounts(int slot, int lane, long counts)
    {
        if ((uint)lane >= CountLanes)
        {
            Interlocked.Add(ref Slot(slot).Counts, counts);
            return;
        }

        ref var own = ref CountsOf(lane, slot);
        Volatile.Write(ref own, own + counts);
    }

    /// <summary>Replaces the counts of a segment, also by one store. No other thread changes them.</summary>
    public void SetCounts(int slot, long counts)
    {
        ref var own = ref Slot(slot).Counts;
        Volatile.Write(ref own, own + counts - ReadCounts(slot));
    }

    /// <summary>Opens the control file, and creates it if there is none. The caller holds the writer's lease.</summary>
    /// <param name="directory">The directory of the cache.</param>
    /// <param name="keyKind">The kind of its keys.</param>
    /// <param name="options">The options of a new cache.</param>
    /// <exception cref="CacheCorruptedException">The file is not a control file, or is damaged.</exception>
    /// <exception cref="NotSupportedException">A newer program created the file.</exception>
    /// <exception cref="ArgumentException">The cache was created with other keys, or other segments.</exception>
    /// <exception cref="DiskFullException">There is no room for the file.</exception>
    public static CacheControl OpenOrCreate(string directory, int keyKind, MessageCacheOptions options)
    {
        var path = CacheFiles.Control(directory);
        if (!File.Exists(path))
        {
            options.SegmentsOf(options.NewSegmentBytes);
            MappedFile.Create(path, LengthOf(MessageCacheOptions.MaxSegments), options.Permissions, CacheFiles.UnfinishedSuffix, file => Initialise(ref HeaderOf(file), keyKind, options));
        }

        var control = Open(directory, keyKind, FileAccess.ReadWrite);
        control.Require(options);
        return control;
    }

    /// <summary>Opens the control file of an existing cache.</summary>
    /// <exception cref="FileNotFoundException">The file does not exist.</exception>
    /// <inheritdoc cref="OpenOrCreate" path="/exception"/>
    public static CacheControl Open(string directory, int keyKind, FileAccess access)
    {
        var control = Open(directory, access);
        if (control.Header.KeyKind is var kind && kind != keyKind)
        {
            control._file.Dispose();
            throw new ArgumentException(
                $"The cache '{directory}' has keys of {CacheKey.NameOf(kind)}, not {CacheKey.NameOf(keyKind)}. Open it with that type, or use another directory.");
        }

        return control;
    }

    /// <summary>Opens the control file of an existing cache, whatever its keys are.</summary>
    /// <exception cref="FileNotFoundException">The file does not exist.</exception>
    /// <exception cref="CacheCorruptedException">The file is not a control file, or is damaged.</exception>
    /// <exception cref="NotSupportedException">A newer program created the file.</exception>
    public static CacheControl Open(string directory, FileAccess access)
    {
        var path = CacheFiles.Control(directory);
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, access, isCollected: true);
        }
        catch (InvalidDataException)
        {
            throw CacheCorruptedException.OfControl(path, "it is empty, or not a regular file");
        }

        if (FaultOf(file) is { } fault)
        {
            file.Dispose();
            throw fault;
        }

        return new CacheControl(directory, file);
    }

    /// <summary>Requires options with which a process can own the cache.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentException">The cache was created with other segments or permissions, or the disk budget has too few or too many of its segments.</exception>
    public void Require(MessageCacheOptions options)
    {
        if (options.SegmentBytes is { } asked && asked != SegmentBytes)
        {
            throw new ArgumentException(
                $"The cache '{Directory}' has segments of {SegmentBytes} bytes, not {asked}. Leave SegmentBytes null to accept them, or delete the directory.", nameof(options));
        }

        if (Permissions.DifferenceFrom(options.FileMode, options.FileGroup, options.Permissions) is { } difference)
        {
            throw new ArgumentException($"The files of the cache '{Directory}' have {difference}. Leave FileMode and FileGroup null to accept them, or delete the directory.", nameof(options));
        }

        options.SegmentsOf(SegmentBytes);
    }

    /// <summary>Refuses to create files if the control file in the folder is not this one: they would belong to another cache.</summary>
    /// <exception cref="CacheCorruptedException">The file was deleted, replaced or cut since it was opened.</exception>
    public void RequireInPlace()
    {
        if (_file.FindLoss() is { } loss)
        {
            throw CacheCorruptedException.OfLoss(_file.Path, $"it was {loss} while the cache was open");
        }
    }

    // Only open segments have entries.
    private long Sum(Func<long, long> figure)
    {
        var sum = 0L;
        for (var slot = 0; slot < SlotCount; slot++)
        {
            sum += Volatile.Read(ref Slot(slot).State) == SlotState.Open ? figure(ReadCounts(slot)) : 0;
        }

        GC.KeepAlive(this);
        return Math.Max(sum, 0);
    }

    // SAFETY: Open has checked that the file holds SlotCount words for each lane after the slots; callers compare slots from other files with it.
    private unsafe ref long CountsOf(int lane, int slot)
    {
        Debug.Assert((uint)lane < CountLanes && (uint)slot < (uint)SlotCount, "The word is outside the file.");
        var words = (long*)(_file.Start + ControlHeader.Bytes + ((long)SlotCount * SlotState.Bytes));
        return ref words[(((slot / SlotsInLine * CountLanes) + lane) * SlotsInLine) + (slot % SlotsInLine)];
    }

    // The version and the features are compared before anything that they may change.
    private static Exception? FaultOf(MappedFile file)
    {
        if (file.Length < ControlHeader.Bytes)
        {
            return CacheCorruptedException.OfControl(file.Path, $"it has {file.Length} bytes");
        }

        ref var header = ref HeaderOf(file);
        return header.Magic != ControlHeader.FileMagic ? CacheCorruptedException.OfControl(file.Path, "it begins with other bytes")
            : header.Version != ControlHeader.FileVersion ? NewerFormat.OfVersion(file.Path, header.Version, ControlHeader.FileVersion)
            : header.RequiredFeatures != 0 ? NewerFormat.OfFeatures(file.Path, header.RequiredFeatures)
            : header.GeometryCheck != header.CheckGeometry() ? CacheCorruptedException.OfControl(file.Path, "its first bytes are damaged")
            : file.Length != LengthOf(header.Slots) ? CacheCorruptedException.OfControl(file.Path, $"it has {file.Length} bytes instead of {LengthOf(header.Slots)}")
            : null;
    }

    // SAFETY: callers keep the file mapped, and have checked or set its length.
    private static unsafe ref ControlHeader HeaderOf(MappedFile file)
    {
        Debug.Assert(file.Length >= ControlHeader.Bytes, "The header would be outside the file.");
        return ref *(ControlHeader*)file.Start;
    }

    private static void Initialise(ref ControlHeader header, int keyKind, MessageCacheOptions options)
    {
        header.Magic = ControlHeader.FileMagic;
        header.Version = ControlHeader.FileVersion;
        header.KeyKind = keyKind;
        header.SegmentBytes = options.NewSegmentBytes;
        header.Slots = MessageCacheOptions.MaxSegments;
        header.ActiveSlot = ControlHeader.NoSlot;
        header.CarrySlot = ControlHeader.NoSlot;
        header.GeometryCheck = header.CheckGeometry();
    }

    private static long LengthOf(int slots) => ControlHeader.Bytes + ((long)slots * (SlotState.Bytes + (CountLanes * sizeof(long))));
}
