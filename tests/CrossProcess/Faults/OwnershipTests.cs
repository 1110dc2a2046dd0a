using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

public sealed class OwnershipTests : IDisposable
{
    private readonly QueueDirectory _directory = new();
    private readonly List<Peer> _peers = [];

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _directory.Dispose();
    }

    [Fact]
    public void Of_16_processes_that_create_a_queue_at_once_one_wins_and_all_get_it()
    {
        _peers.AddRange(Enumerable.Range(0, 16).Select(i => Peer.Start(nameof(Parts.OpenQueue), _directory.Queue, i.ToString(CultureInfo.InvariantCulture))));
        _peers.ForEach(peer => Assert.Equal("ready", peer.Hear()));
        _peers.ForEach(peer => peer.Tell());
        _peers.ForEach(peer => Assert.Equal("opened", peer.Hear()));

        // Each name is held in the one queue that everybody sees.
        using (var queue = Parts.Open(_directory.Queue))
        {
            for (var i = 0; i < _peers.Count; i++)
            {
                var name = i.ToString(CultureInfo.InvariantCulture);
                Assert.Equal(_peers[i].ProcessId, Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>(name)).ProcessId);
            }
        }

        Assert.Equal(["control"], Directory.GetFiles(_directory.Queue).Select(Path.GetFileName));
    }

    [Fact]
    public void A_second_producer_is_refused_and_told_which_process_has_it()
    {
        Parts.CreateForOneProducer(_directory.Queue);
        using var holder = Peer.Start(nameof(Parts.HoldProducer), _directory.Queue);
        Assert.Equal("ready", holder.Hear());
        using var queue = Parts.Open(_directory.Queue);

        var exception = Assert.Throws<QueueInUseException>(() => queue.OpenProducer());

        Assert.Equal(holder.ProcessId, exception.ProcessId);
        Assert.Contains(holder.ProcessId.ToString(CultureInfo.InvariantCulture), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_consumer_of_a_name_is_refused_and_told_which_process_has_it()
    {
        using var holder = Peer.Start(nameof(Parts.HoldConsumer), _directory.Queue, "risk");
        Assert.Equal("ready", holder.Hear());
        using var queue = Parts.Open(_directory.Queue);

        Assert.Equal(holder.ProcessId, Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("risk")).ProcessId);
        using var other = queue.OpenConsumer<RawMessage>("audit");
    }

    [Fact]
    public void The_name_of_a_killed_consumer_is_free_at_once()
    {
        using var queue = Parts.Open(_directory.Queue);
        for (var round = 0; round < 5; round++)
        {
            using (var holder = Peer.Start(nameof(Parts.HoldConsumer), _directory.Queue, "risk"))
            {
                Assert.Equal("ready", holder.Hear());
                holder.Kill();
            }

            queue.OpenConsumer<RawMessage>("risk").Dispose();
        }
    }

    [UnixTheory]
    [InlineData(nameof(FaultPoint.MembershipLocked))]
    [InlineData(nameof(FaultPoint.ReclaimBegun))]
    [InlineData(nameof(FaultPoint.ReclaimClaimSettled))]
    [InlineData(nameof(FaultPoint.ReclaimNearlyDone))]
    [InlineData(nameof(FaultPoint.SlotLeased))]
    [InlineData(nameof(FaultPoint.SlotCleared))]
    [InlineData(nameof(FaultPoint.SlotSigned))]
    [InlineData(nameof(FaultPoint.ProducerWritten))]
    public void Whoever_gets_the_slot_of_a_killed_producer_is_not_taken_for_it(string point)
    {
        Parts.CreateForOneProducer(_directory.Queue);
        using (var holder = Peer.Start(nameof(Parts.HoldProducer), _directory.Queue))
        {
            Assert.Equal("ready", holder.Hear());
            holder.Kill();
        }

        var order = new FaultOrder(Enum.Parse<FaultPoint>(point), 1, FaultAction.Kill);
        using (var successor = Peer.StartWithFaults(order.ToString(), nameof(Parts.HoldProducer), _directory.Queue))
        {
            Assert.Null(successor.Hear());
        }

        using var queue = Parts.Open(_directory.Queue);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var other = queue.OpenConsumer<RawMessage>("other");
        using var producer = queue.OpenProducer();
        producer.Publish("works"u8);
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
    }

    [UnixFact]
    public void A_stopped_owner_is_never_robbed()
    {
        Parts.CreateForOneProducer(_directory.Queue);
        using var producerHolder = Peer.Start(nameof(Parts.HoldProducer), _directory.Queue);
        Assert.Equal("ready", producerHolder.Hear());
        using var consumerHolder = Peer.Start(nameof(Parts.HoldConsumer), _directory.Queue, "risk");
        Assert.Equal("ready", consumerHolder.Hear());
        using var queue = Parts.Open(_directory.Queue);
        using var audit = queue.OpenConsumer<RawMessage>("audit");
        producerHolder.Pause();
        consumerHolder.Pause();

        for (var attempt = 0; attempt < 50; attempt++)
        {
            Assert.Throws<QueueInUseException>(() => queue.OpenProducer());
            Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("risk"));
        }

        producerHolder.Resume();
        producerHolder.Tell();
        Assert.Equal("published", producerHolder.Hear());
        Assert.True(audit.TryRead(out var delivery));
        delivery.Commit();
        consumerHolder.Resume();
    }

    [Fact]
    public void Another_value_type_in_another_process_is_refused()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenValueProducer<long>();
        using var other = Peer.Start(nameof(Parts.OpenOtherValues), _directory.Queue);

        var answer = other.Hear();

        Assert.Contains("value of 8 bytes", answer, StringComparison.Ordinal);
    }
}
