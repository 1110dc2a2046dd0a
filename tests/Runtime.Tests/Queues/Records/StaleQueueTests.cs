using BufferedMessages.Runtime.Tests.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class StaleQueueTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [LinuxFact]
    public void A_producer_notices_that_the_directory_was_deleted()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        Directory.Delete(_directory.Path, recursive: true);

        AssertStale(producer, "deleted");
        Assert.Throws<StaleQueueException>(() => queue.OpenConsumer<RawMessage>("all"));
    }

    [LinuxFact]
    public void A_look_at_a_queue_whose_directory_was_deleted_says_so()
    {
        using var queue = _directory.Open();
        using (var other = _directory.Open())
        {
            using var producer = other.OpenProducer();
            producer.Publish(Payload.Of(1));
        }

        Directory.Delete(_directory.Path, recursive: true);

        Assert.Throws<StaleQueueException>(() => queue.PublishedPosition);
        Assert.Throws<StaleQueueException>(() => queue.GetStatistics());
        Assert.Throws<StaleQueueException>(() => queue.OpenReader<RawMessage>());
    }

    [LinuxFact]
    public void A_look_at_a_queue_in_whose_place_another_one_was_made_says_so()
    {
        using var queue = _directory.Open();
        FillSegment();
        Directory.Delete(_directory.Path, recursive: true);
        FillSegment();

        Assert.Throws<StaleQueueException>(() => queue.PublishedPosition);
    }

    [LinuxFact]
    public void A_second_look_at_a_queue_in_whose_place_another_one_was_made_says_so()
    {
        FillSegment();
        using var look = MessageQueue.OpenReadOnly(_directory.Path);
        Assert.Equal(QueueDirectory.SmallSegment, look.PublishedPosition);
        Directory.Delete(_directory.Path, recursive: true);
        FillSegment();

        Assert.Throws<StaleQueueException>(() => look.PublishedPosition);
        Assert.Throws<StaleQueueException>(look.GetStatistics);
    }

    [LinuxFact]
    public void A_producer_notices_that_a_queue_was_made_anew_in_its_place()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        Directory.Delete(_directory.Path, recursive: true);
        using var other = _directory.Open();
        using var otherProducer = other.OpenProducer();
        otherProducer.Publish(Payload.Of(2));

        // A look between the two finds the directory deleted, and not replaced.
        AssertStale(producer, loss: "");
        Thread.Sleep(1_000);
        otherProducer.Publish(Payload.Of(3));
        using var consumer = other.OpenConsumer<RawMessage>("all");
        Assert.Equal([2, 3], Payload.ReadNumbers(consumer));
    }

    [LinuxFact]
    public void A_producer_notices_that_only_the_messages_were_deleted()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        File.Delete(_directory.SegmentFile(0));

        AssertStale(producer, "deleted");
    }

    [LinuxFact]
    public void A_producer_notices_that_the_file_of_its_messages_was_replaced_by_a_shorter_one()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        var other = _directory.SegmentFile(0) + ".other";
        File.WriteAllBytes(other, File.ReadAllBytes(_directory.SegmentFile(0))[..4096]);
        File.Move(other, _directory.SegmentFile(0), overwrite: true);

        AssertStale(producer, "replaced");
    }

    [LinuxFact]
    public void A_producer_notices_another_control_file_that_was_copied_over_its_own()
    {
        using var other = new QueueDirectory(mode, producers);
        other.Open().Dispose();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        QueueDirectory.Damage(_directory.ControlFile, 0, File.ReadAllBytes(other.ControlFile));

        AssertStale(producer, "replaced");
    }

    [LinuxFact]
    public void A_consumer_that_waits_notices_it()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var reader = queue.OpenReader<RawMessage>();
        var waits = new[]
        {
            Task.Run(() => Assert.Throws<StaleQueueException>(() => consumer.TryRead(out _, Generous))),
            Task.Run(() => Assert.Throws<StaleQueueException>(() => member.TryRead(out _, Generous))),
            Task.Run(() => Assert.Throws<StaleQueueException>(() => reader.TryRead(out _, Generous))),
        };
        Thread.Sleep(100);
        Directory.Delete(_directory.Path, recursive: true);

        Assert.True(Task.WaitAll(waits, Generous));
        Assert.All(waits, wait => Assert.Contains(_directory.Path, wait.Result.Message, StringComparison.Ordinal));
    }

    [LinuxFact]
    public void A_consumer_that_waits_notices_that_the_file_before_it_was_cut()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(1));
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();

        // After the page in which it waits: a touch of a missing one ends the process.
        using (var file = new FileStream(_directory.SegmentFile(0), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.SetLength(QueueDirectory.SmallSegment / 2);
        }

        Assert.Contains("cut", Assert.Throws<StaleQueueException>(() => consumer.TryRead(out _, Generous)).Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_look_at_a_queue_whose_control_file_was_cut_says_so() =>
        Assert.All(LooksAfterCut(_directory.ControlFile), static refusal => Assert.IsType<StaleQueueException>(refusal));

    [LinuxFact]
    public void A_look_at_a_queue_whose_records_were_cut_says_so()
    {
        var expected = _directory.IsBounded ? typeof(StaleQueueException) : typeof(QueueCorruptedException);
        Assert.All(LooksAfterCut(_directory.SegmentFile(0)), refusal => Assert.IsType(expected, refusal));
    }

    /// <summary>Cuts a file after a look at the statistics, which maps what it touches, and looks again.</summary>
    private Exception?[] LooksAfterCut(string path)
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1));
        }

        using var look = MessageQueue.OpenReadOnly(_directory.Path);
        Assert.NotEqual(0, look.GetStatistics().PublishedPosition);
        using (var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.SetLength(0);
        }

        return [Record.Exception(look.GetStatistics), Record.Exception(() => look.PublishedPosition)];
    }

    [LinuxFact]
    public void A_delivery_that_is_open_when_the_files_go_stays_readable()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(1, 100));
        Assert.True(consumer.TryRead(out var delivery));
        Directory.Delete(_directory.Path, recursive: true);
        AssertStale(producer, "deleted");

        Assert.Equal(Payload.Of(1, 100), delivery.Message.Bytes);
        delivery.Commit();

        // The watch closes the queue's producers and consumers one after the other.
        Assert.Throws<StaleQueueException>(() =>
        {
            while (consumer.TryRead(out var other, Generous))
            {
                other.Commit();
            }
        });
    }

    [LinuxFact]
    public void A_control_file_that_is_a_link_is_not_taken_for_another_one()
    {
        _directory.Open().Dispose();
        var elsewhere = _directory.ControlFile + ".elsewhere";
        File.Move(_directory.ControlFile, elsewhere);
        File.CreateSymbolicLink(_directory.ControlFile, elsewhere);
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var producer = queue.OpenProducer();
        for (var i = 0; i < 15; i++)
        {
            producer.Publish(Payload.Of(i));
            Thread.Sleep(100);
        }
    }

    [Fact]
    public void A_queue_whose_files_stay_is_never_taken_for_lost()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var i = 0; i < 300; i++)
        {
            producer.Publish(Payload.Of(i, 2_000));
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
            Thread.Sleep(5);
        }
    }

    private void FillSegment()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1, QueueDirectory.LargestPayload));
    }

    private static void AssertStale(MessageProducer producer, string loss)
    {
        var deadline = DateTime.UtcNow + Generous;
        while (DateTime.UtcNow < deadline)
        {
            try
            {
                producer.Publish(Payload.Of(2));
            }
            catch (StaleQueueException exception)
            {
                Assert.Contains(loss, exception.Message, StringComparison.Ordinal);
                return;
            }

            Thread.Sleep(20);
        }

        Assert.Fail("The loss was not noticed.");
    }

    public sealed class DurableMany() : StaleQueueTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : StaleQueueTests(QueueMode.Bounded, ProducerMode.Single);
}
