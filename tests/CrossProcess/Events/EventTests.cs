using System.Collections.Concurrent;

namespace BufferedMessages.CrossProcess.Events;

/// <summary>What a program hears of processes that were killed.</summary>
public sealed class EventTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();
    private readonly ConcurrentQueue<QueueEvent> _heard = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_member_hears_whose_message_it_takes_over(QueueMode mode)
    {
        using var queue = Open(mode);
        using var producer = queue.OpenProducer();
        using var living = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var position = producer.Publish("held"u8);
        var dead = Kill(nameof(Parts.TakeMessages), "1", mode.ToString(), "1");

        Assert.True(living.TryRead(out var delivery, Generous));
        Assert.True(delivery.IsRedelivery);
        delivery.Commit();

        var heard = Assert.Single(_heard);
        Assert.Equal((QueueEventKind.Redelivery, Parts.Group, position, dead), (heard.Kind, heard.Consumer, heard.Position, heard.ProcessId));
    }

    [Fact]
    public void A_new_member_hears_whose_slot_and_message_it_takes()
    {
        using var queue = Open(QueueMode.Durable);
        using var producer = queue.OpenProducer();
        var position = producer.Publish("held"u8);
        var dead = Kill(nameof(Parts.TakeMessages), "1", nameof(QueueMode.Durable), "1");

        using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });

        Assert.Equal([(QueueEventKind.SlotFreed, (int?)dead, null), (QueueEventKind.Redelivery, null, (long?)position)], _heard.Select(static heard => (heard.Kind, heard.ProcessId, heard.Position)));
        Assert.All(_heard, static heard => Assert.Equal(Parts.Group, heard.Consumer));
    }

    [Fact]
    public void The_next_consumer_of_a_name_hears_that_the_last_one_died()
    {
        using var queue = Open(QueueMode.Durable);
        var dead = Kill(nameof(Parts.HoldConsumer), "ready", "all");

        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Assert.Equal([(QueueEventKind.SlotFreed, "all", (int?)dead), (QueueEventKind.Redelivery, "all", null)], _heard.Select(static heard => (heard.Kind, heard.Consumer!, heard.ProcessId)));
    }

    [Fact]
    public void A_consumer_hears_whose_claim_it_discards()
    {
        using var queue = Open(QueueMode.Durable);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var dead = Kill(nameof(Parts.HoldClaim), "ready");

        Assert.True(consumer.TryRead(out var published, Generous));
        var position = published.Position;
        published.Commit();
        Assert.False(consumer.TryRead(out _));

        var heard = Assert.Single(_heard);
        Assert.Equal((QueueEventKind.ClaimDiscarded, dead), (heard.Kind, heard.ProcessId));
        Assert.True(heard.Position > position);
        Assert.InRange(heard.Bytes!.Value, 1_000, 1_200);
    }

    [Fact]
    public void The_next_producer_of_a_queue_for_one_hears_whose_slot_and_claim_it_takes()
    {
        Parts.CreateForOneProducer(_directory.Queue);
        using var queue = Open(QueueMode.Durable);
        var dead = Kill(nameof(Parts.HoldClaim), "ready");

        using var producer = queue.OpenProducer();

        Assert.Equal([(QueueEventKind.ClaimDiscarded, (int?)dead), (QueueEventKind.SlotFreed, dead)], _heard.Select(static heard => (heard.Kind, heard.ProcessId)));
        Assert.All(_heard, static heard => Assert.Null(heard.Consumer));
    }

    private MessageQueue Open(QueueMode mode) =>
        MessageQueue.Open(_directory.Queue, new MessageQueueOptions { Mode = mode, SegmentBytes = Parts.SegmentBytes, OnEvent = _heard.Enqueue });

    /// <summary>Starts a process, waits for its word, kills it, and returns its id.</summary>
    private int Kill(string part, string word, params ReadOnlySpan<string> arguments)
    {
        using var peer = Peer.Start(part, [_directory.Queue, .. arguments]);
        Assert.Equal(word, peer.Hear());
        peer.Kill();
        return peer.ProcessId;
    }
}
