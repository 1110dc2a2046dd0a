using System.Diagnostics.Metrics;
using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>
/// The instruments of meter "BufferedMessages" over the bridges that are open in this process. They are observable: they read the statistics that a bridge keeps anyway, and only while a listener
/// collects them. Thread-safe.
/// </summary>
/// <remarks>
/// A bridge is open until it is disposed, even when an exception has stopped it: its queue still lags. The counts of a closed bridge stay in its series, since a counter must not fall.
/// </remarks>
internal static class BridgeMetrics
{
    private static readonly Lock Gate = new();
    private static readonly List<IBridgeLoop> Open = [];
    private static readonly Dictionary<(BridgeNumber Number, BridgeSeries Series), double> Closed = [];
    private static readonly Meter Meter = CreateMeter();

    /// <summary>Begins to observe a bridge.</summary>
    public static void Add(IBridgeLoop bridge)
    {
        // Reading the field creates the instruments with the first bridge.
        _ = Meter;
        lock (Gate)
        {
            Open.Add(bridge);
        }
    }

    /// <summary>Ends observing a bridge. Further calls do nothing.</summary>
    public static void Remove(IBridgeLoop bridge)
    {
        lock (Gate)
        {
            if (!Open.Remove(bridge))
            {
                return;
            }

            foreach (var number in BridgeNumber.All.Where(static number => number.Kind == BridgeNumberKind.Count))
            {
                if (bridge.Read(number) is { } count)
                {
                    var key = (number, BridgeSeries.Of(bridge));
                    Closed[key] = Closed.GetValueOrDefault(key) + count;
                }
            }
        }
    }

    private static Meter CreateMeter()
    {
        var meter = new Meter("BufferedMessages", typeof(BridgeMetrics).Assembly.GetName().Version?.ToString(3));
        foreach (var number in BridgeNumber.All)
        {
            QuietTelemetry.Tell((meter, number), static instrument => AddInstrument(instrument.meter, instrument.number));
        }

        return meter;
    }

    private static void AddInstrument(Meter meter, BridgeNumber number)
    {
        var name = "bufferedmessages.bridge." + number.Name;
        if (number.Kind == BridgeNumberKind.Count)
        {
            meter.CreateObservableCounter(name, () => Observe(number, static count => (long)count), number.Unit, number.Description);
        }
        else
        {
            meter.CreateObservableGauge(name, () => Observe(number, static value => value), number.Unit, number.Description);
        }
    }

    private static List<Measurement<T>> Observe<T>(BridgeNumber number, Func<double, T> convert)
        where T : struct
    {
        lock (Gate)
        {
            var values = Closed.Where(closed => closed.Key.Number == number).ToDictionary(static closed => closed.Key.Series, static closed => closed.Value);
            foreach (var bridge in Open)
            {
                if (bridge.Read(number) is { } value)
                {
                    var series = BridgeSeries.Of(bridge);
                    var other = values.GetValueOrDefault(series);
                    values[series] = number.Kind == BridgeNumberKind.Age ? Math.Max(other, value) : other + value;
                }
            }

            return [.. from value in values select new Measurement<T>(convert(value.Value), value.Key.Tags)];
        }
    }

    /// <summary>The tags under which the numbers of a bridge are recorded.</summary>
    private sealed record BridgeSeries(string System, string Stream, string Operation, string Name)
    {
        /// <summary>The tags, named as OpenTelemetry's conventions for messaging name them.</summary>
        public IEnumerable<KeyValuePair<string, object?>> Tags =>
        [
            new("messaging.system", System),
            new("messaging.destination.name", Stream),
            new("messaging.operation.name", Operation),
            new("bufferedmessages.bridge.name", Name),
        ];

        public static BridgeSeries Of(IBridgeLoop bridge) => new(bridge.Link.System, bridge.Link.Stream, bridge.Operation, bridge.Link.Name);
    }
}
