using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Torture;

/// <summary>
/// What the processes note of each key, in memory that they share and that outlives them: what the writer begins to do before it does, and what is done after. A version is twice its
/// number, and one more when the key was removed by it.
/// </summary>
internal sealed unsafe class Journal : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly Head* _head;
    private readonly Entry* _entries;

    public Journal(string path)
    {
        var bytes = sizeof(Head) + ((long)TortureCache.Keys * sizeof(Entry));
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, bytes);
        _view = _file.CreateViewAccessor(0, bytes);
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _head = (Head*)start;
        _entries = (Entry*)(start + sizeof(Head));
    }

    public ref Head Counts => ref *_head;

    public ref Entry this[int key] => ref _entries[key];

    /// <summary>Checks what a read of a key gave.</summary>
    /// <param name="key">The key.</param>
    /// <param name="before">What was noted before the read.</param>
    /// <param name="cache">The cache.</param>
    public void CheckRead(int key, in Entry before, MessageCache<int> cache)
    {
        if (cache.TryGet(key, out var lease))
        {
            using (lease)
            {
                Interlocked.Increment(ref _head->Hits);
                if (!TortureValue.IsWhole(lease.Value, key, out var version))
                {
                    Interlocked.Increment(ref _head->Bad);
                }
                else if (version < before.Done || version > Volatile.Read(ref _entries[key].Begun))
                {
                    Interlocked.Increment(ref _head->Stale);
                }
            }
        }
        else if (IsSurelyThere(before) && Volatile.Read(ref _entries[key].Begun) == before.Done && IsSurelyThere(before))
        {
            Interlocked.Increment(ref _head->Lost);
        }
    }

    /// <summary>Reads what is noted of a key.</summary>
    public Entry Look(int key)
    {
        var entry = default(Entry);
        entry.Done = Volatile.Read(ref _entries[key].Done);
        entry.Position = Volatile.Read(ref _entries[key].Position);
        entry.Begun = Volatile.Read(ref _entries[key].Begun);
        return entry;
    }

    /// <summary>The key was set, and so little was set since that it cannot have been evicted.</summary>
    public bool IsSurelyThere(in Entry entry) =>
        entry.Done != 0 && entry.Done % 2 == 0 && entry.Begun == entry.Done
        && Volatile.Read(ref _head->Position) - entry.Position < TortureCache.SurelyKeptBytes;

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    /// <summary>Counts of all processes.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 256)]
    public struct Head
    {
        public long Hits;
        public long Bad;
        public long Lost;
        public long Stale;
        public long Position;
        public long Sets;
    }

    /// <summary>A key.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 32)]
    public struct Entry
    {
        /// <summary>The version that is being written.</summary>
        public uint Begun;

        /// <summary>The version that was acknowledged.</summary>
        public uint Done;

        /// <summary>How much was set in all when it was begun.</summary>
        public long Position;
    }
}
