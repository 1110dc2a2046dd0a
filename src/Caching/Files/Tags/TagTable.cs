using System.Diagnostics;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The file of tags, mapped: when each of 65,536 groups of tags was last removed, as a number of a clock that counts removals. An entry has the clock's number at the time when it was set, and is
/// removed when one of its groups has a larger number. Tags of a group are removed together. Thread-safe, and safe for all processes.
/// </summary>
internal sealed class TagTable
{
    /// <summary>The number of groups.</summary>
    public const int Groups = 1 << 16;

    private const ulong FileMagic = 0x31474154_43534D42; // "BMSCTAG1"
    private const int NumbersOffset = 128;
    private const long Length = NumbersOffset + (Groups * sizeof(ulong));

    // So that the clock of a new file begins after that of any earlier one: fewer than 65,536 removals in a millisecond.
    private const int MillisecondShift = 16;

    // Larger numbers are noise.
    private const ulong MaxClock = 1UL << 62;

    private readonly MappedFile _file;

    private TagTable(MappedFile file) => _file = file;

    /// <summary>Gets the number of the clock.</summary>
    public ulong Now
    {
        get
        {
            var now = Volatile.Read(ref HeaderOf(_file).Clock);
            GC.KeepAlive(this);
            return now;
        }
    }

    /// <summary>Gets the first number of the clock: all removals in the file are above it.</summary>
    public ulong First
    {
        get
        {
            var first = HeaderOf(_file).Created;
            GC.KeepAlive(this);
            return first;
        }
    }

    /// <summary>Gets whether the header can be one that a process has left. The process that writes replaces a file with a damaged one.</summary>
    public bool IsSound
    {
        get
        {
            var isSound = IsPossible(in HeaderOf(_file));
            GC.KeepAlive(this);
            return isSound;
        }
    }

    /// <summary>Opens the file; null when there is none, or a damaged one. A file that cannot be opened may exist, so that is an exception: without the file, all tags would count as removed.</summary>
    /// <exception cref="IOException">The disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The file, or a folder around it, may not be read.</exception>
    public static TagTable? TryOpen(string directory, FileAccess access)
    {
        try
        {
            var file = MappedFile.Open(CacheFiles.Tags(directory), access, isCollected: true);
            if (file.Length == Length && IsPossible(in HeaderOf(file)))
            {
                return new TagTable(file);
            }

            file.Dispose();
        }
        catch (Exception exception) when (exception is InvalidDataException or FileNotFoundException or DirectoryNotFoundException)
        {
        }

        return null;
    }

    /// <summary>Opens the file, and creates it if there is none: all tags count as removed then. The caller is the process that writes.</summary>
    public static TagTable OpenOrCreate(string directory, FilePermissions permissions)
    {
        if (TryOpen(directory, FileAccess.ReadWrite) is { } table)
        {
            return table;
        }

        CacheFiles.TryDelete(CacheFiles.Tags(directory));
        MappedFile.Create(CacheFiles.Tags(directory), Length, permissions, CacheFiles.UnfinishedSuffix, static file =>
        {
            ref var header = ref HeaderOf(file);
            header.Created = (ulong)TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds() << MillisecondShift;
            header.Clock = header.Created;
            header.Magic = FileMagic;
        });
        return TryOpen(directory, FileAccess.ReadWrite) ?? throw CacheCorruptedException.OfControl(CacheFiles.Tags(directory), "it was damaged while it was made");
    }

    /// <summary>Continues the clock from a number, unless it has already come that far. Called in the process that writes, before any thread writes.</summary>
    public void Resume(ulong number)
    {
        ref var clock = ref HeaderOf(_file).Clock;
        if (number < MaxClock && number > clock)
        {
            Volatile.Write(ref clock, number);
        }

        GC.KeepAlive(this);
    }

    /// <summary>Removes the tags of a group from all entries that are set by now. Entries that are set later have them again.</summary>
    public void Remove(int group)
    {
        ref var number = ref NumberOf(group);
        var now = Interlocked.Increment(ref HeaderOf(_file).Clock);
        for (var last = Volatile.Read(ref number); last < now || last > Now; last = Volatile.Read(ref number))
        {
            if (Interlocked.CompareExchange(ref number, now, last) == last)
            {
                break;
            }
        }

        GC.KeepAlive(this);
    }

    /// <summary>Determines whether an entry still has all of its tags.</summary>
    /// <param name="born">The number of the clock when it was set.</param>
    /// <param name="groups">The groups of its tags.</param>
    public bool Holds(ulong born, ReadOnlySpan<ushort> groups)
    {
        var holds = born >= HeaderOf(_file).Created && born <= Now;
        foreach (var group in groups)
        {
            holds &= Volatile.Read(ref NumberOf(group)) <= born;
        }

        GC.KeepAlive(this);
        return holds;
    }

    /// <summary>Corrects damaged numbers of groups before an entry is set: one above the clock would remove later entries too.</summary>
    public void Correct(ReadOnlySpan<ushort> groups)
    {
        foreach (var group in groups)
        {
            ref var number = ref NumberOf(group);
            if (Volatile.Read(ref number) is var last && last > Now)
            {
                Interlocked.CompareExchange(ref number, Now, last);
            }
        }

        GC.KeepAlive(this);
    }

    private static bool IsPossible(ref readonly Header header) =>
        header.Magic == FileMagic && Volatile.Read(in header.Clock) is var clock && clock < MaxClock && header.Created <= clock;

    // SAFETY: callers keep the file mapped, and have checked or set its length.
    private static unsafe ref Header HeaderOf(MappedFile file)
    {
        Debug.Assert(file.Length >= NumbersOffset, "The header would be outside the file.");
        return ref *(Header*)file.Start;
    }

    // SAFETY: TryOpen has checked that the file has a number for each group.
    private unsafe ref ulong NumberOf(int group)
    {
        Debug.Assert((uint)group < Groups, "The group is outside the file.");
        return ref ((ulong*)(_file.Start + NumbersOffset))[group];
    }

    [StructLayout(LayoutKind.Explicit, Size = NumbersOffset)]
    private struct Header
    {
        [FieldOffset(0)] public ulong Magic;

        /// <summary>The clock's first number: entries with an earlier one are of another file.</summary>
        [FieldOffset(8)] public ulong Created;

        /// <summary>How often tags were removed, added to the first number. Alone in its line of the processor's cache.</summary>
        [FieldOffset(64)] public ulong Clock;
    }
}
