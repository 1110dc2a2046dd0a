using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>What a round is like.</summary>
/// <param name="Options">The queue.</param>
/// <param name="Producers">How many processes publish.</param>
/// <param name="Members">By consumer name: 0 for an exclusive one, else how many members its group has.</param>
/// <param name="Haste">See <see cref="WorkerRole.Haste"/>.</param>
/// <param name="Duration">How long processes come and die.</param>
internal sealed record RoundPlan(MessageQueueOptions Options, int Producers, IReadOnlyList<int> Members, int Haste, TimeSpan Duration)
{
    /// <summary>Leaves twice as many seats as there are processes.</summary>
    public const int LargestCrowd = 239;

    /// <summary>So many producers do nothing but take seats: then those of the dead are used again.</summary>
    public int Crowd { get; init; }

    /// <summary>The round is over earlier when so many have died.</summary>
    public int MaxDeaths { get; init; } = int.MaxValue;

    /// <summary>Kills from outside and at random fault points, and pauses.</summary>
    public bool HasRandomFaults { get; init; } = true;

    /// <summary>The queue is inspected again and again.</summary>
    public bool IsInspected { get; init; }

    /// <summary>See <see cref="WorkerRole.IsCalm"/>.</summary>
    public bool IsCalm => !HasRandomFaults && Victims.Count == 0;

    /// <summary>Orders to every process of a kind.</summary>
    public IReadOnlyDictionary<WorkerKind, string> Orders { get; init; } = new Dictionary<WorkerKind, string>();

    /// <summary>Mistakes planted in every process.</summary>
    public PlantedFault Planted { get; init; }

    /// <summary>One process each at which a fault is ordered: they are started one after the other, beside the others.</summary>
    public IReadOnlyList<Victim> Victims { get; init; } = [];

    public static RoundPlan Draw(Random random, QueueMode? mode, TimeSpan duration)
    {
        var isBounded = (mode ?? (random.Next(2) == 0 ? QueueMode.Bounded : QueueMode.Durable)) == QueueMode.Bounded;
        var isSingle = random.Next(3) == 0;
        var producers = isSingle ? 1 : 1 + random.Next(3);
        var members = new List<int>();
        for (var free = 8 - producers; members.Count < 1 + random.Next(3) && free > 0;)
        {
            var count = random.Next(2) == 0 ? 0 : Math.Min(free, 1 + random.Next(4));
            members.Add(count);
            free -= Math.Max(count, 1);
        }

        var options = new MessageQueueOptions
        {
            Mode = isBounded ? QueueMode.Bounded : QueueMode.Durable,
            Producers = isSingle ? ProducerMode.Single : ProducerMode.Multiple,
            SegmentBytes = QueueGeometry.MinSegmentBytes << random.Next(5),
            Slots = isBounded ? 2 + random.Next(3) : null,
        };
        if (!isBounded)
        {
            AddDurability(options, random);
        }

        return new RoundPlan(options, producers, members, random.Next(3) switch { 0 => 100, 1 => 98, _ => 50 }, duration)
        {
            Crowd = !isSingle && random.Next(3) == 0 ? LargestCrowd : 0,
        };
    }

    // Nothing may be lost: what is not read stays, and at a hard limit producers wait for it.
    private static void AddDurability(MessageQueueOptions options, Random random)
    {
        options.Flush = random.Next(4) switch { 0 => FlushMode.EveryMessage, 1 => FlushMode.Interval, _ => FlushMode.None };
        var (milliseconds, messages) = (1 + random.Next(100), 1 << random.Next(11));
        if (options.Flush == FlushMode.Interval)
        {
            (options.FlushInterval, options.FlushMessages) = (TimeSpan.FromMilliseconds(milliseconds), messages);
        }

        options.Retention = random.Next(2) == 0 ? null : DrawRetention(options.SegmentBytes!.Value, random);
    }

    private static QueueRetention DrawRetention(long segmentBytes, Random random)
    {
        var hardLimit = random.Next(2) == 0 ? (int?)null : 2 + random.Next(4);
        return new QueueRetention
        {
            MaxBytes = random.Next(2) == 0 ? null : segmentBytes * (1 + random.Next(hardLimit ?? 8)),
            HardLimitBytes = segmentBytes * hardLimit,
            DeleteRead = random.Next(2) == 0,
        };
    }

    private string Durability =>
        (Options.Flush is null or FlushMode.None ? "" : $", flush {Options.Flush}")
        + (Options.FlushInterval is { } interval ? $" {interval.TotalMilliseconds} ms or {Options.FlushMessages} messages" : "")
        + (Options.Retention?.MaxBytes is { } bytes ? $", at most {bytes / 1024} KB of what is read" : "")
        + (Options.Retention?.HardLimitBytes is { } limit ? $", hard limit {limit / 1024} KB" : "")
        + (Options.Retention is { DeleteRead: true } ? ", deletes what is read" : "");

    public override string ToString() =>
        $"{Options.Mode}, {Options.SegmentBytes / 1024} KB{(Options.Slots is { } slots ? $" x {slots}" : "")}, {Options.Producers}{Durability}: {Producers} producers, " +
        $"names [{string.Join(", ", Members.Select(members => members == 0 ? "exclusive" : $"group of {members}"))}], haste {Haste}{(Crowd > 0 ? $", {Crowd} seats taken" : "")}";
}

/// <summary>A process at which a fault is ordered.</summary>
/// <param name="Kind">Its part.</param>
/// <param name="Name">Its consumer name's number.</param>
/// <param name="Order">The fault.</param>
/// <param name="Bait">Another process that must die before this one comes to its fault point.</param>
internal sealed record Victim(WorkerKind Kind, int Name, FaultOrder Order, Victim? Bait = null);
