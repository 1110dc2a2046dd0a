namespace BufferedMessages.Caching;

/// <summary>Replaces the index by a larger one. All changes of the index wait while its entries are copied.</summary>
internal sealed class IndexGrowth(CacheControl control, CurrentIndex index, KeyLocks locks)
{
    private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);

    private readonly Lock _growth = new();
    private long _nextTicks;

    /// <summary>Replaces the index by one twice as large.</summary>
    /// <param name="isNeeded">Whether the caller cannot continue without; otherwise a full disk is ignored for a while.</param>
    /// <exception cref="DiskFullException">There is no room, and it is needed.</exception>
    public void Grow(bool isNeeded)
    {
        var seen = index.Table;
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
            if (ReferenceEquals(seen, index.Table))
            {
                Replace(seen);
            }
        }
        catch (DiskFullException) when (!isNeeded)
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
            var larger = IndexTable.Create(control.Directory, ++generation, buckets, control.Permissions);
            if (TryReplace(old, larger))
            {
                CacheFiles.TryDelete(CacheFiles.Index(control.Directory, old.Generation));
                return;
            }

            CacheFiles.TryDelete(CacheFiles.Index(control.Directory, generation));
        }
    }

    private bool TryReplace(IndexTable old, IndexTable larger)
    {
        locks.EnterAll();
        try
        {
            if (!old.TryCopyTo(larger))
            {
                return false;
            }

            // A recycled segment leaves the new table from now on. Readers that are still in the old one see that it was replaced.
            Volatile.Write(ref control.Header.IndexGeneration, larger.Generation);
            index.Publish(larger);
            return true;
        }
        finally
        {
            locks.ExitAll();
        }
    }
}
