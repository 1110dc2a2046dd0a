using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <content>A larger index.</content>
internal sealed partial class CacheWriter
{
    private static readonly TimeSpan GrowthRetry = TimeSpan.FromSeconds(1);

    /// <summary>Replaces the index by one twice as large.</summary>
    /// <param name="isNeeded">The caller cannot go on without; otherwise a full disk is not its concern.</param>
    /// <exception cref="DiskFullException">There is no room, and it is needed.</exception>
    private unsafe void Grow(bool isNeeded)
    {
        var seen = _store.Table;
        if (!isNeeded && (Environment.TickCount64 < Volatile.Read(ref _nextGrowthTicks) || !_growth.TryEnter()))
        {
            return;
        }

        if (isNeeded)
        {
            _growth.Enter();
        }

        try
        {
            if (ReferenceEquals(seen, _store.Table))
            {
                Replace(seen);
            }
        }
        catch (DiskFullException) when (!isNeeded)
        {
            Volatile.Write(ref _nextGrowthTicks, Environment.TickCount64 + (long)GrowthRetry.TotalMilliseconds);
        }
        finally
        {
            _growth.Exit();
        }
    }

    private unsafe void Replace(IndexTable old)
    {
        var buckets = old.Buckets;
        var generation = old.Generation;
        while (true)
        {
            buckets *= 2;
            var larger = IndexTable.Create(_control.Directory, ++generation, buckets);
            if (TryReplace(old, larger))
            {
                CacheFiles.TryDelete(CacheFiles.Index(_control.Directory, old.Generation));
                return;
            }

            CacheFiles.TryDelete(CacheFiles.Index(_control.Directory, generation));
        }
    }

    private unsafe bool TryReplace(IndexTable old, IndexTable larger)
    {
        EnterAll();
        try
        {
            if (!old.TryCopyTo(larger))
            {
                return false;
            }

            // Whoever recycles a segment now removes its entries from the new table, and readers that are still in the old one see that it is old.
            Volatile.Write(ref _control.Header->IndexGeneration, larger.Generation);
            _store.Table = larger;
            return true;
        }
        finally
        {
            ExitAll();
        }
    }
}
