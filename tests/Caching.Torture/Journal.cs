using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Torture;

/// <summary>
/// The journal of each key, in memory that the processes share and that outlives them: the writer notes a version before it begins to write it, and again after it is acknowledged. A
/// version is twice its number, and one more when it removes the key, by itself or by its tag.
/// </summary>
internal sealed class Journal : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly unsafe Head* _head;
    private readonly unsafe Entry* _entries;

    // SAFETY: the view is as long as the head and all entries, and stays mapped until Dispose.
    public unsafe Journal(string path)
    {
        var bytes = sizeof(Head) + ((long)TortureCache.Keys * sizeof(Entry));
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, bytes);
        _view = _file.CreateViewAccessor(0, bytes);
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _head = (Head*)start;
        _entries = (Entry*)(start + sizeof(Head));
    }

    // SAFETY: as the constructor.
    public unsafe ref Head Counts => ref *_head;

    // SAFETY: callers use keys below TortureCache.Keys.
    public unsafe ref Entry this[int key] => ref _entries[key];

    /// <summary>Reads keys at random and checks each result, until the process is killed.</summary>
    public void CheckReads(MessageCache<int> cache, Random random)
    {
        while (true)
        {
            var key = random.Next(TortureCache.Keys);
            CheckRead(key, Look(key), cache);
        }
    }

    /// <summary>Reads a key and checks the result.</summary>
    /// <param name="key">The key.</param>
    /// <param name="before">The journal of the key before the read.</param>
    /// <param name="cache">The cache.</param>
    public void CheckRead(int key, in Entry before, MessageCache<int> cache)
    {
        if (cache.TryGet(key, out var lease))
        {
            using (lease)
            {
                Interlocked.Increment(ref Counts.Hits);
                if (!TortureValue.IsWhole(lease.Value, key, out var version))
                {
                    Interlocked.Increment(ref Counts.Bad);
                }
                else if (version < before.Done || version > Volatile.Read(ref this[key].Begun))
                {
                    Interlocked.Increment(ref Counts.Stale);
                }
            }
        }
        else if (IsSurelyThere(before) && Volatile.Read(ref this[key].Begun) == before.Done && IsSurelyThere(before))
        {
            Interlocked.Increment(ref Counts.Lost);
        }
    }

    /// <summary>Reads the journal of a key.</summary>
    public Entry Look(int key)
    {
        var entry = default(Entry);
        entry.Done = Volatile.Read(ref this[key].Done);
        entry.Begun = Volatile.Read(ref this[key].Begun);
        return entry;
    }

    /// <summary>Says whether the key was set, and cannot have been evicted since.</summary>
    public bool IsSurelyThere(in Entry entry) => entry.Done != 0 && entry.Done % 2 == 0 && entry.Begun == entry.Done && Volatile.Read(ref Counts.Crowd) == 0;

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    /// <summary>The counts of all processes.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 256)]
    public struct Head
    {
        public long Hits;
        public long Bad;
        public long Lost;
        public long Stale;

        /// <summary>Whether writers also set keys without a journal, so that entries are evicted.</summary>
        public long Crowd;
        public long Sets;
        public long TagRemovals;
    }

    /// <summary>The journal of one key.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 16)]
    public struct Entry
    {
        /// <summary>The version that is being written.</summary>
        public uint Begun;

        /// <summary>The version that was acknowledged.</summary>
        public uint Done;
    }
}
