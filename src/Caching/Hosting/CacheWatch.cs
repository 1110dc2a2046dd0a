using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching;

/// <summary>
/// Looks at the statistics of a cache from time to time and logs what somebody should know: once when it begins and once when it is over, or a number for what happened since.
/// Reads and sets pay nothing for it.
/// </summary>
/// <param name="name">The cache in the log.</param>
/// <param name="directory">Its directory.</param>
/// <param name="budget">Bytes of the segments that it may have.</param>
/// <param name="read">Reads its statistics.</param>
/// <param name="logger">The log.</param>
internal sealed class CacheWatch(string name, string directory, long budget, Func<CacheStatistics> read, ILogger logger)
{
    private CacheStatistics _last = read();
    private bool _isShort;
    private bool _isAbove;

    /// <summary>Logs what has changed since the last time.</summary>
    public void Look()
    {
        var now = read();
        LookAtEntries(now);
        LookAtDisk(now);
        LookAtLeases(now);
        _last = now;
    }

    /// <summary>Logs what has changed and what the cache did in all.</summary>
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
    }

    // A cache recycles what it has only when it cannot have more.
    private void LookAtDisk(CacheStatistics now)
    {
        var recycled = now.Evicted > _last.Evicted || now.Carried > _last.Carried;
        if (!_isShort && recycled && now.DiskBytes < budget)
        {
            _isShort = true;
            logger.DiskFull(name, directory, now.DiskBytes, budget);
        }
        else if (_isShort && now.DiskBytes >= budget)
        {
            _isShort = false;
            logger.DiskRegained(name, budget);
        }
    }

    private void LookAtLeases(CacheStatistics now)
    {
        var isAbove = now.DiskBytes > budget;
        if (isAbove && !_isAbove)
        {
            logger.SlowRecycling(name, now.DiskBytes, budget);
        }

        _isAbove = isAbove;
    }
}
