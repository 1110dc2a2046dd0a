namespace BufferedMessages.Caching;

/// <summary>A cache as <see cref="CacheMetrics"/> observes it.</summary>
internal interface IMeteredCache
{
    /// <summary>Gets the name of the cache in metrics.</summary>
    string Name { get; }

    /// <summary>Reads the counts of the cache, and its sizes.</summary>
    CacheStatistics ReadStatistics();
}
