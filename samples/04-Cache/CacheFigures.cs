using System.Globalization;
using BufferedMessages.Caching;

namespace BufferedMessages.Samples.Caching;

/// <summary>The figures of a run at one moment.</summary>
internal readonly record struct CacheFigures(long Lookups, double HitRate, double AllocatedPerHit, long MemoryBytes, long MemoryBudget, long DiskBytes, long DiskBudget, CacheStatistics Statistics)
{
    public static CacheFigures Take(CacheSampleOptions options, MessageCache<string> cache, FileLookups lookups)
    {
        var statistics = cache.GetStatistics();
        var (hits, count) = (lookups.Hits, lookups.Count);
        return new CacheFigures(
            count,
            count == 0 ? 0 : (double)hits / count,
            hits <= FileLookups.FirstHits ? 0 : (double)lookups.HitAllocated / (hits - FileLookups.FirstHits),
            ResidentSegments.Read(cache),
            options.MemoryBytes,
            statistics.DiskBytes,
            options.DiskBytes,
            statistics);
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Lookups} lookups, {100 * HitRate:0.0} % hits, memory {Megabytes(MemoryBytes)} of {Megabytes(MemoryBudget)} MB, disk {Megabytes(DiskBytes)} of {Megabytes(DiskBudget)} MB, {AllocatedPerHit:0.##} bytes allocated per hit");

    public static string Megabytes(long bytes) => (bytes / (1024.0 * 1024.0)).ToString("0.0", CultureInfo.InvariantCulture);
}
