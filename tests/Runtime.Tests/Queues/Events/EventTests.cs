using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>In a copy of a queue's files no process holds a lease: all its participants are dead.</summary>
public sealed class EventTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();
    private readonly HeardEvents _heard = new();
    private readonly List<IDisposable> _owned = [];

    public void Dispose()
    {
        _owned.Reverse();
        _owned.ForEach(static owned => owned.Dispose());
        _directory.Dispose();
    }

    [Fact]
    public void A_queue_at_work_reports_nothing()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 5_000);
        Assert.Equal(5_000, Payload.ReadNumbers(consumer).Count);
        Assert.Equal(5_000, Payload.ReadNumbers(member).Count);
        using (producer.Claim(100))
        {
        }

        Assert.Empty(_heard.All);
    }

    [Fact]
    public void A_repair_is_heard_while_the_queue_is_opened()
    {
        using var crashed = CrashOfMachine();
        var statistics = default(QueueStatistics);
        _heard.Then = _ =>
        {
            using var again = MessageQueue.OpenExisting(crashed.Path);
            statistics = again.GetStatistics();
        };

        using var queue = Open(crashed);

        var heard = Assert.Single(_heard.All);
        Assert.Equal(QueueEventKind.Repaired, heard.Kind);
        Assert.Equal((queue.Recovery!.Position, queue.Recovery.CutBytes), (heard.Position, heard.Bytes));
        Assert.NotEqual(0, heard.Bytes);
        Assert.Contains(queue.Recovery.LostAndFound!, heard.Message, StringComparison.Ordinal);
        Assert.Contains("'ahead'", heard.Message, StringComparison.Ordinal);
        Assert.Equal(queue.Recovery.Position, statistics!.PublishedPosition);
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void A_dead_producers_claim_is_reported_with_its_place(ProducerMode producers)
    {
        var crashed = CrashWithin(producers, out var position);
        using var queue = Open(crashed);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var producer = producers == ProducerMode.Single ? queue.OpenProducer() : null;

        Assert.Equal([1], Payload.ReadNumbers(consumer));

        var heard = Assert.Single(_heard.Of(QueueEventKind.ClaimDiscarded));
        Assert.Equal((position, 1_008 + 16, Environment.ProcessId), (heard.Position, heard.Bytes, heard.ProcessId));
        Assert.Equal(producers == ProducerMode.Single ? 1 : 0, _heard.Of(QueueEventKind.SlotFreed).Count);
    }

    [Fact]
    public void A_dead_producers_claim_is_reported_to_a_consumer_that_goes_on_waiting()
    {
        var crashed = CrashWithin(ProducerMode.Multiple, out _);
        using var queue = Open(crashed);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var first, Generous));
        first.Commit();
        using var isHeard = new ManualResetEventSlim();
        using var stop = new CancellationTokenSource();
        _heard.Then = _ => isHeard.Set();
        var waiting = new Background(() => Assert.Throws<OperationCanceledException>(() => consumer.TryRead(out _, Timeout.InfiniteTimeSpan, stop.Token)));

        Assert.True(isHeard.Wait(Generous));

        stop.Cancel();
        waiting.Join();
    }

    [Fact]
    public void A_dead_producers_claim_that_a_seek_discards_is_reported_when_the_seek_returns()
    {
        var crashed = CrashWithin(ProducerMode.Multiple, out var position);
        using var queue = Open(crashed);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Empty(_heard.All);

        consumer.Seek(QueueStart.Latest);

        var heard = Assert.Single(_heard.All);
        Assert.Equal((QueueEventKind.ClaimDiscarded, position), (heard.Kind, heard.Position));
    }

    [Fact]
    public void A_dead_members_message_is_reported_by_the_member_that_takes_it_over()
    {
        var crashed = CrashWithMembers(out var position);
        using var queue = Open(crashed);
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.Equal(2, _heard.All.Count);
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });

        var freed = _heard.Of(QueueEventKind.SlotFreed);
        Assert.Equal([("workers", Environment.ProcessId), ("workers", Environment.ProcessId)], freed.Select(static heard => (heard.Consumer!, heard.ProcessId!.Value)));
        Assert.Equal([("workers", position), ("workers", position + QueueDirectory.NumberRecord)], _heard.Of(QueueEventKind.Redelivery).Select(static heard => (heard.Consumer!, heard.Position!.Value)));
    }

    [Fact]
    public void A_message_of_a_member_that_was_closed_is_reported_by_the_member_that_takes_it_over()
    {
        using var queue = Open(_directory);
        using var living = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var producer = queue.OpenProducer();
        long position;
        using (var leaving = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            position = producer.Publish(Payload.Of(1));
            Assert.True(leaving.TryRead(out var left));
            left.Dispose();
        }

        Assert.Empty(_heard.All);
        Assert.True(living.TryRead(out var delivery, Generous));
        delivery.Commit();

        var heard = Assert.Single(_heard.All);
        Assert.Equal((QueueEventKind.Redelivery, "workers", position), (heard.Kind, heard.Consumer, heard.Position));
        Assert.Equal((QueueDirectory.NumberRecord, Environment.ProcessId), (heard.Bytes, heard.ProcessId));
    }

    [Fact]
    public void Redeliveries_to_an_exclusive_consumer_are_reported_when_it_opens()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 5);
        using (var first = queue.OpenConsumer<RawMessage>("all"))
        {
            Assert.True(first.TryRead(out var committed));
            committed.Commit();
            Assert.True(first.TryRead(out _));
            Assert.True(first.TryRead(out var open));
            open.Dispose();
        }

        Assert.Empty(_heard.All);
        using var second = queue.OpenConsumer<RawMessage>("all");

        var heard = Assert.Single(_heard.All);
        Assert.Equal((QueueEventKind.Redelivery, "all", positions[1]), (heard.Kind, heard.Consumer, heard.Position));
    }

    [Fact]
    public void The_slots_of_dead_members_are_reported_when_their_name_is_deleted()
    {
        var crashed = CrashWithMembers(out _);
        using var queue = Open(crashed);

        Assert.True(queue.DeleteConsumer("workers"));

        Assert.Equal(2, _heard.Of(QueueEventKind.SlotFreed).Count);
        Assert.Equal(2, _heard.All.Count);
    }

    [LinuxFact]
    public void A_flush_that_cannot_open_the_file_of_the_last_messages_is_reported_when_it_fails()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        using (new HiddenPath(_directory.SegmentFile(0)))
        {
            Assert.Throws<FlushFailedException>(queue.Flush);
        }

        Assert.Equal(QueueEventKind.FlushFailed, Assert.Single(_heard.All).Kind);
    }

    [Fact]
    public void Lost_files_are_reported_once()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Payload.PublishNumbers(producer, 0, 1);
        Payload.ReadNumbers(consumer);
        Directory.Delete(_directory.Path, recursive: true);

        Assert.Throws<StaleQueueException>(() => consumer.TryRead(out _, Generous));
        Assert.True(SpinWait.SpinUntil(() => _heard.All.Count > 0, Generous));

        Assert.Throws<StaleQueueException>(() => producer.Publish(Payload.Of(1)));
        Assert.Equal(QueueEventKind.FilesLost, Assert.Single(_heard.All).Kind);
    }

    [Fact]
    public void A_listener_that_throws_disturbs_nothing()
    {
        _heard.Then = static _ => throw new InvalidOperationException("The listener fails.");
        var crashed = CrashWithin(ProducerMode.Multiple, out _);
        using var queue = Open(crashed);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(2));

        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
        Assert.Single(_heard.All);
    }

    [Fact]
    public void A_listener_that_throws_keeps_no_event_from_another_one()
    {
        Action<QueueEvent> failing = static _ => throw new InvalidOperationException("The listener fails.");
        var crashed = CrashWithin(ProducerMode.Multiple, out _);
        var options = _heard.Options();
        options.OnEvent = failing + options.OnEvent;
        using var queue = MessageQueue.Open(crashed.Path, options);
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Assert.Equal([1], Payload.ReadNumbers(consumer));

        Assert.Equal(QueueEventKind.ClaimDiscarded, Assert.Single(_heard.All).Kind);
    }

    [Fact]
    public void A_listener_may_use_the_queue_at_every_event()
    {
        var uses = 0;
        MessageQueue? queue = null;
        _heard.Then = heard =>
        {
            Assert.NotNull(queue!.GetStatistics());
            queue.Flush();
            queue.ApplyRetention();
            using var producer = queue.OpenProducer();
            producer.Publish(Payload.Of(9));
            using var consumer = queue.OpenConsumer<RawMessage>(heard.Kind.ToString() + uses);
            Assert.NotEmpty(Payload.ReadNumbers(consumer));
            uses++;
        };
        var crashed = CrashWithMembers(out _);
        using (queue = Open(crashed))
        {
            using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        }

        Assert.Equal((4, 4), (_heard.All.Count, uses));
    }

    // A listener that needs the membership lock would wait for it in vain.
    [Fact]
    public void No_event_is_told_while_a_producer_that_cannot_be_opened_holds_the_membership_lock()
    {
        var options = new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            Producers = ProducerMode.Single,
            Flush = FlushMode.Interval,
            FlushInterval = TimeSpan.FromHours(1),
            OnEvent = _heard.Hear,
        };
        QueueDirectory crashed;
        using (var before = MessageQueue.Open(_directory.Path, options))
        using (var dead = before.OpenProducer())
        {
            dead.Publish(Payload.Of(1));
            crashed = Own(_directory.Crash());
        }

        QueueDirectory.Damage(crashed.SegmentFile(0), QueueDirectory.FirstRecord, 0xFF);
        using var queue = MessageQueue.Open(crashed.Path, options);
        using var isHeard = new ManualResetEventSlim();
        Exception? failure = null;
        _heard.Then = _ =>
        {
            failure = Record.Exception(() => queue.ApplyRetention());
            isHeard.Set();
        };

        Assert.Throws<QueueCorruptedException>(() => queue.OpenProducer());

        Assert.True(isHeard.Wait(Generous));
        Assert.Null(failure);
    }

    private MessageQueue Open(QueueDirectory directory) => MessageQueue.Open(directory.Path, _heard.Options());

    private QueueDirectory CrashOfMachine()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 100);
        using var consumer = queue.OpenConsumer<RawMessage>("ahead", new() { Start = QueueStart.At(positions[90]) });
        var crashed = MachineCrash.Of(_directory, durablePosition: positions[50]);
        QueueDirectory.Damage(crashed.SegmentFile(0), positions[60], new byte[QueueDirectory.NumberRecord]);
        return crashed;
    }

    /// <summary>A producer published 1, and died with a claim.</summary>
    private QueueDirectory CrashWithin(ProducerMode producers, out long claim)
    {
        using var directory = new QueueDirectory(producers: producers);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        claim = producer.Publish(Payload.Of(1)) + QueueDirectory.NumberRecord;
        using var open = producer.Claim(1_008);
        return Own(directory.Crash());
    }

    /// <summary>Two members of a group died with a message each.</summary>
    private QueueDirectory CrashWithMembers(out long position)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        position = Payload.PublishNumbers(producer, 0, 2)[0];
        using var first = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.True(first.TryRead(out _));
        Assert.True(second.TryRead(out _));
        return Own(_directory.Crash());
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
