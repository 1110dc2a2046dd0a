using System.Diagnostics.Metrics;

namespace BufferedMessages;

/// <summary>
/// The instruments of meter "BufferedMessages" over the live pools of this process. They are observed: they read the counts of
/// the pool, and cost nothing without a listener. Thread-safe.
/// </summary>
/// <remarks>The last observed counts of a collected pool stay in the series of its name, since a counter must not fall.</remarks>
internal static class BufferPoolMetrics
{
    public const string MeterName = "BufferedMessages";

    private static readonly Lock Gate = new();
    private static readonly List<MeteredPool> Pools = [];
    private static readonly Dictionary<string, BufferPoolStatistics> Collected = new(StringComparer.Ordinal);
    private static readonly Meter Meter = CreateMeter();

    /// <summary>Begins to observe a pool.</summary>
    public static void Add(BufferStore pool)
    {
        // Reading the field ensures that the instruments exist from the first pool on.
        _ = Meter;
        lock (Gate)
        {
            Pools.RemoveAll(TryRetireCollected);
            Pools.Add(new MeteredPool(pool));
        }
    }

    private static Meter CreateMeter()
    {
        var meter = new Meter(MeterName, typeof(BufferPoolMetrics).Assembly.GetName().Version?.ToString(3));
        try
        {
            AddInstruments(meter);
        }
        catch (Exception)
        {
            // A listener, which is called while instruments are created, may throw anything. Pools work without their metrics.
        }

        return meter;
    }

    private static void AddInstruments(Meter meter)
    {
        meter.CreateObservableCounter("bufferedmessages.pool.rented", () => Observe(pool => pool.Rented), "{buffer}", "Buffers that were rented.");
        meter.CreateObservableCounter("bufferedmessages.pool.returned", () => Observe(pool => pool.Returned), "{buffer}", "Buffers that came back.");
        meter.CreateObservableCounter("bufferedmessages.pool.allocated", () => Observe(pool => pool.Allocated), "{buffer}", "Rentals that found no free buffer.");
        meter.CreateObservableCounter("bufferedmessages.pool.dropped", () => Observe(pool => pool.Dropped), "{buffer}", "Buffers that were left to the garbage collector.");
        meter.CreateObservableUpDownCounter("bufferedmessages.pool.in_use", () => Observe(pool => pool.InUseBytes), "By", "Bytes of the buffers that are rented.");
        meter.CreateObservableUpDownCounter("bufferedmessages.pool.free", () => Observe(pool => pool.FreeBytes), "By", "Bytes of the buffers that wait to be rented.");
    }

    private static List<Measurement<long>> Observe(Func<BufferPoolStatistics, long> number)
    {
        lock (Gate)
        {
            Pools.RemoveAll(TryRetireCollected);
            var totals = Collected.ToDictionary(StringComparer.Ordinal);
            foreach (var pool in Pools)
            {
                totals[pool.Name] = Sum(totals.GetValueOrDefault(pool.Name, BufferPoolStatistics.None), pool.Look());
            }

            return [.. from total in totals select new Measurement<long>(number(total.Value), new KeyValuePair<string, object?>("bufferedmessages.pool.name", total.Key))];
        }
    }

    private static bool TryRetireCollected(MeteredPool pool)
    {
        if (pool.IsAlive)
        {
            return false;
        }

        // Its buffers were collected with it.
        var all = Sum(Collected.GetValueOrDefault(pool.Name, BufferPoolStatistics.None), pool.LastSeen);
        Collected[pool.Name] = new BufferPoolStatistics(all.Rented, all.Returned, all.Allocated, all.Dropped, inUseBytes: 0, freeBytes: 0);
        return true;
    }

    private static BufferPoolStatistics Sum(BufferPoolStatistics one, BufferPoolStatistics other) =>
        new(one.Rented + other.Rented,
            one.Returned + other.Returned,
            one.Allocated + other.Allocated,
            one.Dropped + other.Dropped,
            one.InUseBytes + other.InUseBytes,
            one.FreeBytes + other.FreeBytes);

    /// <summary>A pool and its counts at the last observation.</summary>
    private sealed class MeteredPool(BufferStore pool)
    {
        private readonly WeakReference<BufferStore> _pool = new(pool);

        public string Name { get; } = pool.Name;

        public bool IsAlive => _pool.TryGetTarget(out _);

        public BufferPoolStatistics LastSeen { get; private set; } = BufferPoolStatistics.None;

        /// <summary>Reads the pool. Its counts are read one after the other while it runs; a count never falls below an earlier reading.</summary>
        public BufferPoolStatistics Look()
        {
            if (_pool.TryGetTarget(out var pool))
            {
                var now = pool.GetStatistics();
                LastSeen = new BufferPoolStatistics(
                    Math.Max(now.Rented, LastSeen.Rented),
                    Math.Max(now.Returned, LastSeen.Returned),
                    Math.Max(now.Allocated, LastSeen.Allocated),
                    Math.Max(now.Dropped, LastSeen.Dropped),
                    now.InUseBytes,
                    now.FreeBytes);
            }

            return LastSeen;
        }
    }
}
