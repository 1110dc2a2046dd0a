using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class IdentityTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_message_keeps_its_id_in_every_look()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var position = producer.Publish(Payload.Of(1));
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var reader = queue.OpenReader<RawMessage>();

        Assert.True(consumer.TryRead(out var delivery));
        Assert.True(reader.TryRead(out var looked));
        Assert.Equal(new MessageId(queue.Id, 1, position), delivery.Id);
        Assert.Equal(delivery.Id, looked.Id);
        Assert.Equal(1, queue.Epoch);
        delivery.Commit();
        looked.Dispose();
    }

    [Fact]
    public void A_disposed_queue_has_no_epoch()
    {
        var queue = _directory.Open();
        queue.Dispose();

        Assert.Throws<ObjectDisposedException>(() => queue.Epoch);
    }

    // The consumer's own store has the ids of all messages that it handled. A crash of the machine cuts off the last of them, and their positions are given to new messages.
    [Fact]
    public void A_tail_that_was_cut_makes_no_consumer_take_a_new_message_for_one_that_it_has_handled()
    {
        var handled = new HashSet<MessageId>();
        using (var queue = _directory.Open())
        {
            using var producer = queue.OpenProducer();
            using var consumer = queue.OpenConsumer<RawMessage>("all");
            Payload.PublishNumbers(producer, 0, 100);
            Assert.Equal(Enumerable.Range(0, 100), Handle(consumer, handled));
        }

        // The disk has only the first 50 messages.
        using var crashed = MachineCrash.Of(_directory);
        var end = SegmentHeader.Bytes + (50 * 32);
        QueueDirectory.Damage(crashed.SegmentFile(0), end, new byte[50 * 32]);
        using var again = crashed.Open();
        Assert.Equal(2, again.Epoch);
        using var newProducer = again.OpenProducer();
        var positions = Payload.PublishNumbers(newProducer, 1_000, 60);
        Assert.Equal(end, positions[0]);

        using var newConsumer = again.OpenConsumer<RawMessage>("all");
        newConsumer.Seek(QueueStart.Earliest);
        Assert.Equal(Enumerable.Range(1_000, 60), Handle(newConsumer, handled));
    }

    [Fact]
    public void A_queue_made_anew_at_the_same_path_has_other_ids()
    {
        var handled = new HashSet<MessageId>();
        for (var round = 0; round < 3; round++)
        {
            using (var queue = _directory.Open())
            {
                using var producer = queue.OpenProducer();
                using var consumer = queue.OpenConsumer<RawMessage>("all");
                Payload.PublishNumbers(producer, 0, 10);
                Assert.Equal(Enumerable.Range(0, 10), Handle(consumer, handled));
            }

            Directory.Delete(_directory.Path, recursive: true);
        }

        Assert.Equal(30, handled.Count);
    }

    [Fact]
    public void Each_repair_begins_an_epoch_and_messages_before_it_keep_theirs()
    {
        var ids = new List<MessageId>();
        for (var restart = 0; restart < 70; restart++)
        {
            using var queue = _directory.Open();
            Assert.Equal(restart + 1, queue.Epoch);
            using var producer = queue.OpenProducer();
            var position = producer.Publish(Payload.Of(restart));
            ids.Add(new MessageId(queue.Id, restart + 1, position));
            MachineCrash.Restart(_directory);
        }

        using var last = _directory.Open();
        using var reader = last.OpenReader<RawMessage>();
        var seen = new List<MessageId>();
        while (reader.TryRead(out var delivery))
        {
            seen.Add(delivery.Id);
            delivery.Commit();
        }

        // The starts of 64 epochs are kept; older messages count to the oldest of them.
        Assert.Equal(ids.Select(id => id with { Epoch = Math.Max(id.Epoch, 71 - ControlHeader.KeptEpochs + 1) }), seen);
    }

    private static List<int> Handle(MessageConsumer<RawMessage> consumer, HashSet<MessageId> handled)
    {
        var numbers = new List<int>();
        while (consumer.TryRead(out var delivery))
        {
            if (handled.Add(delivery.Id))
            {
                numbers.Add(Payload.Number(delivery.Message.Bytes));
            }

            delivery.Commit();
        }

        return numbers;
    }
}
