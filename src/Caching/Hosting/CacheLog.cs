using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching;

/// <summary>The log messages of caches.</summary>
internal static partial class CacheLog
{
    [LoggerMessage(1, LogLevel.Information, "Cache {Cache} is open in {Directory}: {Entries} entries, {DiskBytes} bytes of segments, after {Milliseconds} ms.")]
    public static partial void Opened(this ILogger logger, string cache, string directory, long entries, long diskBytes, long milliseconds);

    [LoggerMessage(2, LogLevel.Warning,
        "The index of cache {Cache} was rebuilt from its segments, after a crash of the machine or because it was damaged: {Entries} entries are there, {Corrupt} damaged ones were dropped.")]
    public static partial void Recovered(this ILogger logger, string cache, long entries, long corrupt);

    [LoggerMessage(3, LogLevel.Warning, "{Count} damaged entries were found in cache {Cache}. They count as misses; if it happens again, check the disk of {Directory}.")]
    public static partial void CorruptEntries(this ILogger logger, string cache, string directory, long count);

    [LoggerMessage(4, LogLevel.Warning, "The disk of {Directory} is full: cache {Cache} continues with {DiskBytes} of {Budget} bytes. Make room, or give it a smaller DiskBytes.")]
    public static partial void DiskFull(this ILogger logger, string cache, string directory, long diskBytes, long budget);

    [LoggerMessage(5, LogLevel.Information, "Cache {Cache} has its {Budget} bytes of segments again.")]
    public static partial void DiskRegained(this ILogger logger, string cache, long budget);

    [LoggerMessage(6, LogLevel.Warning,
        "Leases hold up the recycling of cache {Cache}: it uses {DiskBytes} bytes, above its {Budget}. Dispose leases as soon as they are read, or give it a larger DiskBytes.")]
    public static partial void SlowRecycling(this ILogger logger, string cache, long diskBytes, long budget);

    [LoggerMessage(7, LogLevel.Warning, "{Count} created values were not kept in cache {Cache}, because there was no room for them, a file failed, or the owner of the shared cache did not take them.")]
    public static partial void NotKept(this ILogger logger, string cache, long count);

    [LoggerMessage(9, LogLevel.Warning, "{Count} values of cache {Cache} could not be refreshed, and earlier ones were returned. The last exception is attached.")]
    public static partial void FailedRefreshes(this ILogger logger, Exception? exception, string cache, long count);

    [LoggerMessage(10, LogLevel.Warning,
        "Cache {Cache} makes no changes for other processes, because its queue in {Directory} cannot be created: their changes fail until it can be. The exception is attached.")]
    public static partial void NoQueue(this ILogger logger, Exception? exception, string cache, string directory);

    [LoggerMessage(11, LogLevel.Information, "Cache {Cache} makes changes for other processes again.")]
    public static partial void QueueRegained(this ILogger logger, string cache);

    [LoggerMessage(12, LogLevel.Warning,
        "Cache {Cache} cannot create segment files in {Directory}, and continues with {DiskBytes} of {Budget} bytes until it can. The exception is attached.")]
    public static partial void NoSegments(this ILogger logger, Exception? exception, string cache, string directory, long diskBytes, long budget);

    [LoggerMessage(8, LogLevel.Information, "Cache {Cache} closes with {Entries} entries: {Hits} hits, {Misses} misses, {Sets} sets, {Evicted} evicted, {Corrupt} damaged.")]
    public static partial void Closing(this ILogger logger, string cache, long entries, long hits, long misses, long sets, long evicted, long corrupt);
}
