namespace BufferedMessages.Caching;

/// <summary>Replaces the index, and the notes on its entries, with larger ones. All changes of the index wait while its entries are copied.</summary>
internal sealed class IndexGrowth(CacheStore store, KeyLocks locks)
{
    private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);

    private readonly Lock _growth = new();
    private readonly CacheControl _control = store.Control;
    private readonly CurrentIndex _index = store.Index;

    // Asked before any thread writes: the counts leave out an entry that is being moved.
    private readonly bool _mayLackNotes = store.Control.Entries != 0;
    private EntryNotes? _notes;
    private long _nextTicks;

    /// <summary>Gets the notes on the entries of the table. The caller holds a lock, so the table is not replaced.</summary>
    public EntryNotes Notes => Volatile.Read(ref _notes) ?? BeginNotes();

    /// <summary>Gets the notes, which may be those of a table that is being replaced; null before the first change.</summary>
    public EntryNotes? KnownNotes => Volatile.Read(ref _notes);

    /// <summary>Replaces the index with one twice as large.</summary>
    /// <param name="full">The table that was found full. Nothing happens if another thread has replaced it since.</param>
    /// <param name="isNeeded">Whether the caller cannot continue without a larger index. If it can, a failure, such as a full disk, is ignored for a while.</param>
    /// <exception cref="DiskFullException">There is no room, and it is needed.</exception>
    public void Grow(IndexTable full, bool isNeeded)
    {
        if (!isNeeded && (Environment.TickCount64 < Volatile.Read(ref _nextTicks) || !_growth.TryEnter()))
        {
            return;
        }

        if (isNeeded)
        {
            _growth.Enter();
        }

        try
        {
            if (ReferenceEquals(full, _index.Table))
            {
                store.RequireInPlace();
                Replace(full);
            }
        }
        catch (Exception exception) when (!isNeeded && exception is IOException or UnauthorizedAccessException or CacheCorruptedException)
        {
            Volatile.Write(ref _nextTicks, Environment.TickCount64 + (long)Retry.TotalMilliseconds);
        }
        finally
        {
            _growth.Exit();
        }
    }

    private void Replace(IndexTable old)
    {
        var buckets = old.Buckets;
        var generation = old.Generation;
        while (true)
        {
            buckets *= 2;
            var larger = IndexTable.Create(_control.Directory, ++generation, buckets, _control.Permissions);
            if (TryReplace(larger))
            {
                CacheFiles.TryDelete(CacheFiles.Index(_control.Directory, old.Generation));
                return;
            }

            CacheFiles.TryDelete(CacheFiles.Index(_control.Directory, generation));
        }
    }

    private bool TryReplace(IndexTable larger)
    {
        locks.EnterAll();
        try
        {
            var notes = new EntryNotes(larger, Notes.MayLack);
            if (!TryCopy(Notes, notes))
            {
                return false;
            }

            // A recycled segment leaves the new table from now on. Readers that are still in the old one see that it was replaced.
            Volatile.Write(ref _control.Header.IndexGeneration, larger.Generation);
            _index.Publish(larger);
            Volatile.Write(ref _notes, notes);
            return true;
        }
        finally
        {
            locks.ExitAll();
        }
    }

    // False when the entries do not fit.
    private static bool TryCopy(EntryNotes old, EntryNotes larger)
    {
        for (var walk = new IndexWalk(old.Table); walk.MoveNext();)
        {
            var cell = larger.Table.FindEmpty(walk.Hash);
            if (!cell.Exists)
            {
                return false;
            }

            cell.Write(walk.Word);
            cell.SetReads(walk.Cell.Reads);
            larger[cell] = old[walk.Cell];
        }

        return true;
    }

    private EntryNotes BeginNotes()
    {
        var notes = new EntryNotes(_index.Table, _mayLackNotes);
        return Interlocked.CompareExchange(ref _notes, notes, null) ?? notes;
    }
}
