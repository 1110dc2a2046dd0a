using System.Diagnostics.Metrics;

namespace BufferedMessages.Caching;

/// <summary>
/// The instruments of meter "BufferedMessages" over the caches that are open in this process. They are observed: nothing is counted for them but what a cache counts
/// anyhow, and nothing happens until somebody listens. Safe for all threads.
/// </summary>
/// <remarks>What a closed cache had counted goes on in the series of its name, since a counter must not fall.</remarks>
internal static class CacheMetrics
{
    public const string MeterName = "BufferedMessages";

    private static readonly Lock Gate = new();
    private static readonly List<MeteredCache> Open = [];
    private static readonly Dictionary<string, CacheStatistics> Closed = new(StringComparer.Ordinal);
    private static readonly Meter Meter = CreateMeter();

    /// <summary>Begins to observe a cache.</summary>
    public static void Add(CacheEngine cache)
    {
        // Reading the field makes sure that the instruments exist from the first cache on.
        _ = Meter;
        lock (Gate)
        {
            Open.RemoveAll(TryRetireForgotten);
            Open.Add(new MeteredCache(cache));
        }
    }

    /// <summary>Ends that; the cache is still open.</summary>
    public static void Remove(CacheEngine cache)
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
        Count("misses", cache => cache.Misses, "Reads that did not.");
        Count("expired", cache => cache.Expired, "Reads that found an expired entry.");
        Count("corrupt", cache => cache.Corrupt, "Entries that were found damaged.");
        Count("mismatched", cache => cache.Mismatched, "Reads that found a message of another schema.");
        Count("sets", cache => cache.Sets, "Entries that were set.");
        Count("not_kept", cache => cache.NotKept, "Values that were created and found no room.");
        Count("evicted", cache => cache.Evicted, "Entries that made room.");
        Count("carried", cache => cache.Carried, "Entries that were kept when their segment was recycled.");
        Hold("entries", cache => cache.Entries, "{entry}", "Entries in the cache.");
        Hold("disk", cache => cache.DiskBytes, "By", "Bytes of the segment files.");
        Hold("memory", cache => cache.MemoryBytes, "By", "Bytes of the segments that are mapped in memory.");
        Hold("index", cache => cache.IndexBytes, "By", "Bytes of the index.");
        return meter;

        void Count(string name, Func<CacheStatistics, long> number, string description) =>
            meter.CreateObservableCounter("bufferedmessages.cache." + name, () => Observe(number), "{entry}", description);

        void Hold(string name, Func<CacheStatistics, long> number, string unit, string description) =>
            meter.CreateObservableUpDownCounter("bufferedmessages.cache." + name, () => Observe(number), unit, description);
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

    // What it held is on the disk, but nobody has it open.
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
            Evicted = one.Evicted + other.Evicted,
            Carried = one.Carried + other.Carried,
        };
    }

    /// <summary>A cache and what it had counted when it was last looked at. It is held weakly.</summary>
    private sealed class MeteredCache(CacheEngine cache)
    {
        private readonly WeakReference<CacheEngine> _cache = new(cache);

        public string Name { get; } = cache.Name;

        public bool IsAlive => _cache.TryGetTarget(out _);

        public CacheStatistics LastSeen { get; private set; } = new();

        public bool IsOf(CacheEngine other) => _cache.TryGetTarget(out var mine) && ReferenceEquals(mine, other);

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
