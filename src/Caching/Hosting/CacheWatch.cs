using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching;

/// <summary>
/// Compares the statistics of a cache with earlier ones and logs problems: a state when it begins and when it ends, events with the number since the last time.
/// Reads and sets are not slowed down.
/// </summary>
/// <param name="name">The name of the cache in the log.</param>
/// <param name="directory">Its directory.</param>
/// <param name="budget">Reads the bytes of segments that it may have, as far as this process decides it.</param>
/// <param name="read">Reads its statistics.</param>
/// <param name="logger">The log.</param>
internal sealed class CacheWatch(string name, string directory, Func<long> budget, Func<CacheStatistics> read, ILogger logger)
{
    private CacheStatistics _last = read();
    private bool _isShort;
    private bool _isAbove;
    private bool _hasNoQueue;

    /// <summary>Logs the problems since the last call.</summary>
    public void Look()
    {
        var now = read();
        LookAtEntries(now);
        LookAtDisk(now);
        LookAtLeases(now);
        LookAtQueue(now);
        _last = now;
    }

    /// <summary>Logs the problems since the last call, and the totals of the cache.</summary>
    public void Close()
    {
        Look();
        logger.Closing(name, _last.Entries, _last.Hits, _last.Misses, _last.Sets, _last.Evicted, _last.Corrupt);
    }

    private void LookAtEntries(CacheStatistics now)
    {
        if (now.Corrupt > _last.Corrupt)
        {
            logger.CorruptEntries(name, directory, now.Corrupt - _last.Corrupt);
        }

        if (now.NotKept > _last.NotKept)
        {
            logger.NotKept(name, now.NotKept - _last.NotKept);
        }

        if (now.FailedRefreshes > _last.FailedRefreshes)
        {
            logger.FailedRefreshes(now.RefreshFailure, name, now.FailedRefreshes - _last.FailedRefreshes);
        }
    }

    private void LookAtDisk(CacheStatistics now)
    {
        var most = budget();
        if (!_isShort && now.FailedSegments > _last.FailedSegments && now.DiskBytes < most)
        {
            _isShort = true;
            if (now.SegmentFailure is DiskFullException)
            {
                logger.DiskFull(name, directory, now.DiskBytes, most);
            }
            else
            {
                logger.NoSegments(now.SegmentFailure, name, directory, now.DiskBytes, most);
            }
        }
        else if (_isShort && now.DiskBytes >= most)
        {
            _isShort = false;
            logger.DiskRegained(name, most);
        }
    }

    private void LookAtLeases(CacheStatistics now)
    {
        var most = budget();
        var isAbove = now.DiskBytes > most;
        if (isAbove && !_isAbove)
        {
            logger.SlowRecycling(name, now.DiskBytes, most);
        }

        _isAbove = isAbove;
    }

    private void LookAtQueue(CacheStatistics now)
    {
        var hasNoQueue = now.QueueFailure is not null;
        if (hasNoQueue && !_hasNoQueue)
        {
            logger.NoQueue(now.QueueFailure, name, directory);
        }
        else if (!hasNoQueue && _hasNoQueue)
        {
            logger.QueueRegained(name);
        }

        _hasNoQueue = hasNoQueue;
    }
}
