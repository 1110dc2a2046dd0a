using System.Diagnostics.Metrics;
using BufferedMessages.Queues;

namespace BufferedMessages.Caching;

/// <summary>
/// The instruments of meter "BufferedMessages" over the caches that are open in this process. They are observable: they read the counts that a cache keeps anyway,
/// and only while a listener collects them. Thread-safe.
/// </summary>
/// <remarks>The counts of a closed cache stay in the series of its name, since a counter must not fall.</remarks>
internal static class CacheMetrics
{
    public const string MeterName = "BufferedMessages";

    private static readonly Lock Gate = new();
    private static readonly List<MeteredCache> Open = [];
    private static readonly Dictionary<string, CacheStatistics> Closed = new(StringComparer.Ordinal);
    private static readonly Meter Meter = CreateMeter();

    /// <summary>Begins to observe a cache.</summary>
    public static void Add(IMeteredCache cache)
    {
        // Reading the field creates the instruments with the first cache.
        _ = Meter;
        lock (Gate)
        {
            Open.RemoveAll(TryRetireForgotten);
            Open.Add(new MeteredCache(cache));
        }
    }

    /// <summary>Ends observing a cache, which is still open.</summary>
    public static void Remove(IMeteredCache cache)
    {
        lock (Gate)
        {
            if (Open.Find(open => open.IsOf(cache)) is { } metered)
            {
                metered.Look();
                Retire(metered);
                Open.Remove(metered);
            }
        }
    }

    private static Meter CreateMeter()
    {
        var meter = new Meter(MeterName, typeof(CacheMetrics).Assembly.GetName().Version?.ToString(3));
        Count("hits", cache => cache.Hits, "Reads that found their entry.");
        Count("misses", cache => cache.Misses, "Reads that did not find their entry.");
        Count("expired", cache => cache.Expired, "Reads that found an expired entry, or one that was removed by its tag.");
        Count("corrupt", cache => cache.Corrupt, "Entries that were found damaged.");
        Count("mismatched", cache => cache.Mismatched, "Reads that found a value of another schema or serializer.");
        Count("sets", cache => cache.Sets, "Entries that were set.");
        Count("not_kept", cache => cache.NotKept, "Values that were created and could not be kept.");
        Count("stale", cache => cache.Stale, "Expired values that were returned.");
        Count("failed_refreshes", cache => cache.FailedRefreshes, "Exceptions of create callbacks that no caller saw, because an earlier value was returned.");
        Count("evicted", cache => cache.Evicted, "Entries that made room.");
        Count("carried", cache => cache.Carried, "Entries that were copied when their segment was emptied.");
        Hold("entries", cache => cache.Entries, "{entry}", "Entries in the cache.");
        Hold("live", cache => cache.LiveBytes, "By", "Bytes of the entries in the cache.");
        Hold("disk", cache => cache.DiskBytes, "By", "Bytes of the segment files.");
        Hold("memory", cache => cache.MemoryBytes, "By", "Bytes of the segments in memory: mapped, copied, or not in their files yet.");
        Hold("index", cache => cache.IndexBytes, "By", "Bytes of the index.");
        return meter;

        void Count(string name, Func<CacheStatistics, long> number, string description) =>
            QuietTelemetry.Create(() => meter.CreateObservableCounter("bufferedmessages.cache." + name, () => Observe(number), "{entry}", description));

        void Hold(string name, Func<CacheStatistics, long> number, string unit, string description) =>
            QuietTelemetry.Create(() => meter.CreateObservableUpDownCounter("bufferedmessages.cache." + name, () => Observe(number), unit, description));
    }

    private static List<Measurement<long>> Observe(Func<CacheStatistics, long> number)
    {
        lock (Gate)
        {
            Open.RemoveAll(TryRetireForgotten);
            var totals = Closed.ToDictionary(closed => closed.Key, closed => number(closed.Value), StringComparer.Ordinal);
            foreach (var open in Open)
            {
                totals[open.Name] = totals.GetValueOrDefault(open.Name) + number(open.Look());
            }

            return [.. from total in totals select new Measurement<long>(total.Value, new KeyValuePair<string, object?>("bufferedmessages.cache.name", total.Key))];
        }
    }

    private static bool TryRetireForgotten(MeteredCache cache)
    {
        if (cache.IsAlive)
        {
            return false;
        }

        Retire(cache);
        return true;
    }

    // Sizes are dropped with the cache; counts stay.
    private static void Retire(MeteredCache cache)
    {
        var (one, other) = (Closed.GetValueOrDefault(cache.Name) ?? new CacheStatistics(), cache.LastSeen);
        Closed[cache.Name] = new CacheStatistics
        {
            Hits = one.Hits + other.Hits,
            Misses = one.Misses + other.Misses,
            Expired = one.Expired + other.Expired,
            Corrupt = one.Corrupt + other.Corrupt,
            Mismatched = one.Mismatched + other.Mismatched,
            Sets = one.Sets + other.Sets,
            NotKept = one.NotKept + other.NotKept,
            Stale = one.Stale + other.Stale,
            FailedRefreshes = one.FailedRefreshes + other.FailedRefreshes,
            Evicted = one.Evicted + other.Evicted,
            Carried = one.Carried + other.Carried,
        };
    }

    /// <summary>A cache, referred to weakly, and its statistics when they were last read.</summary>
    private sealed class MeteredCache(IMeteredCache cache)
    {
        private readonly WeakReference<IMeteredCache> _cache = new(cache);

        public string Name { get; } = cache.Name;

        public bool IsAlive => _cache.TryGetTarget(out _);

        public CacheStatistics LastSeen { get; private set; } = new();

        public bool IsOf(IMeteredCache other) => _cache.TryGetTarget(out var mine) && ReferenceEquals(mine, other);

        public CacheStatistics Look()
        {
            if (_cache.TryGetTarget(out var alive))
            {
                LastSeen = alive.ReadStatistics();
            }

            return LastSeen;
        }
    }
}
