using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>
/// The instruments of meter "BufferedMessages", over the live producers and consumers of this process. They are observable: they
/// read the counts of the control file, and cost nothing without a listener. They are created some fifty milliseconds after the first participant opens. Thread-safe.
/// </summary>
/// <remarks>The counts of a closed participant stay in its series, since a counter must not fall; the participant itself is forgotten.</remarks>
internal static class QueueMetrics
{
    public const string MeterName = "BufferedMessages";

    // The first instrument of a process takes some ten milliseconds of processor time, and holds locks of the runtime. The delay keeps that out of the time in which a program that has
    // just started opens its queue, and publishes or reads its first messages.
    private const int Delay = 50;

    private static readonly Lock Gate = new();
    private static readonly List<MeteredParticipant> Live = [];
    private static readonly Dictionary<MetricSeries, ParticipantCounts> Closed = [];
    private static int _isBegun;

    /// <summary>Begins to observe a participant that has just opened, unless its queue is left out of the metrics.</summary>
    public static void Add(Participant participant)
    {
        if (!participant.Queue.IsMetered)
        {
            return;
        }

        if (Interlocked.Exchange(ref _isBegun, 1) == 0)
        {
            try
            {
                new Thread(BeginLater) { IsBackground = true, Name = "MessageQueue metrics" }.UnsafeStart();
            }
            catch (OutOfMemoryException)
            {
                // The system has no room for another thread. The next participant tries again.
                Volatile.Write(ref _isBegun, 0);
            }
        }

        lock (Gate)
        {
            Live.RemoveAll(TryRetireForgotten);
            Live.Add(new MeteredParticipant(participant));
            participant.Leaving = Remove;
        }
    }

    /// <summary>Stops observing a participant, while the slot is still its own.</summary>
    private static void Remove(Participant participant)
    {
        lock (Gate)
        {
            var index = Live.FindIndex(metered => metered.IsOf(participant));
            if (index >= 0)
            {
                Retire(Live[index].Series, participant.Queue.Control.IsCut ? Live[index].LastSeen : participant.Counts);
                Live.RemoveAt(index);
            }
        }
    }

    private static void BeginLater()
    {
        Thread.Sleep(Delay);
        try
        {
            Begin();
        }
        catch (Exception)
        {
            // A listener, which is called while instruments are created, may throw anything, and without free files the runtime loads no library. Neither may end the process; the next
            // participant then tries again.
            Volatile.Write(ref _isBegun, 0);
        }
    }

    // Not inlined: the runtime loads the types of a method before the method runs.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Begin()
    {
        var meter = new Meter(MeterName, typeof(QueueMetrics).Assembly.GetName().Version?.ToString(3));
        try
        {
            AddInstruments(meter);
        }
        catch
        {
            meter.Dispose();
            throw;
        }
    }

    private static void AddInstruments(Meter meter)
    {
        meter.CreateObservableCounter(
            "messaging.client.sent.messages", () => ObserveCounts(isConsumer: false, counts => counts.Messages), "{message}", "Messages that producers of this process published.");
        meter.CreateObservableCounter(
            "messaging.client.sent.bytes", () => ObserveCounts(isConsumer: false, counts => counts.Bytes), "By", "Bytes of these messages, without headers.");
        meter.CreateObservableCounter(
            "messaging.client.consumed.messages", () => ObserveCounts(isConsumer: true, counts => counts.Messages), "{message}", "Messages that consumers of this process committed.");
        meter.CreateObservableCounter(
            "messaging.client.consumed.bytes", () => ObserveCounts(isConsumer: true, counts => counts.Bytes), "By", "Bytes of these messages, without headers.");
        meter.CreateObservableGauge(
            "messaging.queue.lag",
            () => ObserveConsumers<long>(static consumer => consumer.ReadLag(), static (one, other) => one + other),
            "By",
            "Bytes that were published and not yet read under a consumer name that is open in this process.");
        meter.CreateObservableGauge(
            "messaging.queue.oldest_unread_age",
            () => ObserveConsumers<double>(static consumer => consumer.ReadAge(), Math.Max),
            "s",
            "Age of the oldest message that is not yet read under a consumer name that is open in this process; 0 if there is none.");
        meter.CreateObservableCounter(
            "messaging.queue.space_waits", () => ObserveQueues(WaitsOf), "{wait}", "Waits of all producers of the queue, in all processes, for space.");
        meter.CreateObservableCounter(
            "messaging.queue.wakes", () => ObserveQueues(WakesOf), "{wake}", "Wakes of sleeping producers and consumers of the queue, in all processes.");
    }

    private static List<Measurement<long>> ObserveCounts(bool isConsumer, Func<ParticipantCounts, long> number)
    {
        lock (Gate)
        {
            Live.RemoveAll(TryRetireForgotten);
            var totals = Closed.Where(closed => closed.Key.IsConsumer == isConsumer).ToDictionary();
            foreach (var metered in Live.Where(metered => metered.Series.IsConsumer == isConsumer))
            {
                totals[metered.Series] = totals.GetValueOrDefault(metered.Series, ParticipantCounts.None) + metered.Look();
            }

            return [.. from total in totals select new Measurement<long>(number(total.Value), total.Key.Tags)];
        }
    }

    // Queues of the same name in several directories have one series.
    private static List<Measurement<T>> ObserveConsumers<T>(Func<MeteredParticipant, T?> read, Func<T, T, T> combine)
        where T : struct
    {
        lock (Gate)
        {
            var found = new Dictionary<MetricSeries, T>();
            foreach (var queue in LiveByQueue())
            {
                foreach (var consumer in queue.Where(live => live.Series.IsConsumer).DistinctBy(live => live.Series))
                {
                    if (read(consumer) is { } value)
                    {
                        found[consumer.Series] = found.TryGetValue(consumer.Series, out var other) ? combine(other, value) : value;
                    }
                }
            }

            return [.. from series in found select new Measurement<T>(series.Value, series.Key.Tags)];
        }
    }

    private static List<Measurement<long>> ObserveQueues(Func<ControlMap, long> number)
    {
        lock (Gate)
        {
            var sums = new Dictionary<MetricSeries, long>();
            foreach (var queue in LiveByQueue())
            {
                if (queue.First().TryRead(number, out var value))
                {
                    var series = queue.First().Series.OfQueue;
                    sums[series] = sums.GetValueOrDefault(series) + value;
                }
            }

            return [.. from sum in sums select new Measurement<long>(sum.Value, sum.Key.Tags)];
        }
    }

    // One queue may be open by several handles, and by several paths; it counts once. A copy of its files has the same id, and mostly another name.
    private static IEnumerable<IGrouping<(Guid, string), MeteredParticipant>> LiveByQueue()
    {
        Live.RemoveAll(TryRetireForgotten);
        return Live.GroupBy(live => (live.QueueId, live.Series.Queue));
    }

    private static bool TryRetireForgotten(MeteredParticipant metered)
    {
        if (metered.IsAlive)
        {
            return false;
        }

        Retire(metered.Series, metered.LastSeen);
        return true;
    }

    private static void Retire(MetricSeries series, ParticipantCounts counts) =>
        Closed[series] = Closed.GetValueOrDefault(series, ParticipantCounts.None) + counts;

    private static long WaitsOf(ControlMap control) => Volatile.Read(ref control.Header.SpaceWaits);

    private static long WakesOf(ControlMap control) => Volatile.Read(ref control.Header.Wakes);
}
