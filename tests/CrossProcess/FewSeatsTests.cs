using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A dead producer has the last seat of a queue of many, so that whoever comes must bury it first; and is killed at that.</summary>
public sealed class FewSeatsTests : IDisposable
{
    private const int Seats = 255;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();
    private readonly List<MessageProducer> _crowd = [];

    public void Dispose()
    {
        _crowd.ForEach(producer => producer.Dispose());
        _directory.Dispose();
    }

    public static TheoryData<QueueMode, string, string> Burials()
    {
        var data = new TheoryData<QueueMode, string, string>();
        foreach (var mode in Enum.GetValues<QueueMode>())
        {
            foreach (var part in Enum.GetNames<WorkerKind>())
            {
                data.Add(mode, part, nameof(FaultPoint.BurialLocksOpened));
                data.Add(mode, part, nameof(FaultPoint.BurialClaimSettled));
            }
        }

        return data;
    }

    [UnixTheory]
    [MemberData(nameof(Burials))]
    public void A_process_killed_while_it_buries_one_of_many_producers_leaves_the_rest_to_the_next(QueueMode mode, string part, string point)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var claimer = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue))
        {
            Assert.Equal("ready", claimer.Hear());
            claimer.Kill();
        }

        // All seats but the consumer's and the dead one's.
        _crowd.AddRange(Enumerable.Range(0, Seats - 2).Select(_ => queue.OpenProducer()));
        using (var victim = StartVictim(Enum.Parse<WorkerKind>(part), mode, Enum.Parse<FaultPoint>(point)))
        {
            Assert.Null(victim.Hear());
        }

        using var producer = queue.OpenProducer();
        producer.Publish("after"u8);

        foreach (var expected in new[] { "published"u8.ToArray(), "after"u8.ToArray() })
        {
            Assert.True(consumer.TryRead(out var delivery, Generous));
            Assert.Equal(expected, delivery.Message.Bytes);
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
    }

    private Peer StartVictim(WorkerKind part, QueueMode mode, FaultPoint point)
    {
        var order = new FaultOrder(point, 1, FaultAction.Kill).ToString();
        return part switch
        {
            WorkerKind.Producer => Peer.StartWithFaults(order, nameof(Parts.HoldProducer), _directory.Queue),
            WorkerKind.Consumer => Peer.StartWithFaults(order, nameof(Parts.HoldConsumer), _directory.Queue, "other"),
            _ => Peer.StartWithFaults(order, nameof(Parts.TakeMessages), _directory.Queue, mode.ToString(), "1"),
        };
    }
}
