using System.Diagnostics;
using System.Security.Cryptography;
using BufferedMessages.Runtime.Tests.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A reader looks into a queue and takes no part in it.</summary>
public abstract class ReaderTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_reader_sees_every_message_from_where_it_begins()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 5_000);

        using var reader = queue.OpenReader<RawMessage>();
        using var later = queue.OpenReader<RawMessage>(QueueStart.At(positions[4_000]));
        using var last = queue.OpenReader<RawMessage>(QueueStart.Latest);
        Payload.PublishNumbers(producer, 5_000, 10);

        Assert.Equal(Enumerable.Range(0, 5_010), Numbers(reader));
        Assert.Equal(Enumerable.Range(4_000, 1_010), Numbers(later));
        Assert.Equal(Enumerable.Range(5_000, 10), Numbers(last));
        Assert.Equal(queue.PublishedPosition, reader.Position);
    }

    [Fact]
    public void Looking_leaves_every_byte_of_the_directory_as_it_was()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Payload.PublishNumbers(producer, 0, 5_000);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        var before = Hashes();
        using (var queue = MessageQueue.OpenExisting(_directory.Path))
        {
            using var reader = queue.OpenReader<RawMessage>();
            Assert.Equal(Enumerable.Range(0, 5_000), Numbers(reader));
            reader.Seek(QueueStart.Latest);
            Assert.False(reader.TryRead(out _, TimeSpan.FromMilliseconds(20)));
            Assert.Equal("risk", Assert.Single(queue.GetStatistics().Consumers).Name);
            Assert.Empty(queue.Schemas);
            Assert.NotEqual(Guid.Empty, queue.Id);
            Assert.True(queue.PublishedPosition > 0);
            Assert.True(MessageQueue.Exists(_directory.Path));
            Assert.Equal([_directory.Path], MessageQueue.List(_directory.Path));
        }

        Assert.Equal(before, Hashes());
    }

    [Fact]
    public void Looking_beside_producers_and_consumers_holds_none_back_and_leaves_no_trace()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var reader = queue.OpenReader<RawMessage>();
        for (var i = 0; i < 20; i++)
        {
            producer.Publish(new byte[10_000]);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        var statistics = queue.GetStatistics();
        Assert.Equal("risk", Assert.Single(statistics.Consumers).Name);
        Assert.Single(statistics.Producers);
        Assert.Equal(0, statistics.UnreadBytes);
    }

    [Fact]
    public void A_reader_waits_for_the_next_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var reader = queue.OpenReader<RawMessage>();
        var publishing = new Background(() =>
        {
            Thread.Sleep(30);
            producer.Publish(Payload.Of(7));
        });

        Assert.True(reader.TryRead(out var delivery, TimeSpan.FromSeconds(30)));
        publishing.Join();

        Assert.Equal(7, Payload.Number(delivery.Message.Bytes));
    }

    [Fact]
    public async Task A_reader_loops_without_holding_a_thread()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var reader = queue.OpenReader<RawMessage>();
        var numbers = new List<int>();
        var loop = LoopAsync();
        for (var i = 0; i < 20; i++)
        {
            producer.Publish(Payload.Of(i));
            await Task.Delay(1);
        }

        await loop;
        Assert.Equal(Enumerable.Range(0, 20), numbers);

        async Task LoopAsync()
        {
            // A loop that held the thread would wait for messages that nothing publishes.
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            await foreach (var delivery in reader.ReadAllAsync(limit.Token))
            {
                numbers.Add(Payload.Number(delivery.Message.Bytes));
                if (numbers.Count == 20)
                {
                    break;
                }
            }
        }
    }

    [Fact]
    public void Cancelling_and_disposing_end_a_wait()
    {
        using var queue = _directory.Open();
        using var reader = queue.OpenReader<RawMessage>();
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(30));
        Assert.ThrowsAny<OperationCanceledException>(() => reader.TryRead(out _, Timeout.InfiniteTimeSpan, cancellation.Token));

        var disposing = new Background(() =>
        {
            Thread.Sleep(30);
            reader.Dispose();
        });
        Assert.Throws<ObjectDisposedException>(() => reader.TryRead(out _, Timeout.InfiniteTimeSpan));
        disposing.Join();

        Assert.Throws<ObjectDisposedException>(() => reader.Position);
        reader.Dispose();
    }

    [Fact]
    public void A_message_that_a_dead_producer_left_unfinished_is_stepped_over_and_stays_as_it_is()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(0));
        using var claim = producer.Claim(100);
        using var crashed = _directory.Crash();
        if (!_directory.IsSingle)
        {
            // Another producer goes on after it. A single one pads it first.
            using var later = crashed.Open();
            using var other = later.OpenProducer();
            other.Publish(Payload.Of(1));
        }

        using var look = MessageQueue.OpenExisting(crashed.Path);
        using var reader = look.OpenReader<RawMessage>();

        Assert.True(reader.TryRead(out var first, TimeSpan.FromSeconds(30)));
        Assert.Equal(0, Payload.Number(first.Message.Bytes));
        Assert.Equal(!_directory.IsSingle, reader.TryRead(out var second, TimeSpan.FromMilliseconds(_directory.IsSingle ? 30 : 30_000)));
        Assert.True(_directory.IsSingle || Payload.Number(second.Message.Bytes) == 1);
    }

    [Fact]
    public void A_type_that_the_queue_does_not_hold_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenValueProducer<long>();
        producer.Publish(5L);

        Assert.Throws<SchemaMismatchException>(() => queue.OpenReader<ValueMessage<int>>());
        using var reader = queue.OpenReader<ValueMessage<long>>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(5L, delivery.Message.Value);
    }

    [Fact]
    public void A_reader_of_a_queue_that_holds_nothing_yet_refuses_what_it_holds_later()
    {
        using var queue = _directory.Open();
        using var reader = queue.OpenReader<ValueMessage<int>>();
        using var producer = queue.OpenValueProducer<long>();
        producer.Publish(5L);

        Assert.Throws<SchemaMismatchException>(() => reader.TryRead(out _));
    }

    [Fact]
    public void No_position_within_a_message_is_a_start()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);

        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenReader<RawMessage>(QueueStart.At(positions[1] + 16)));
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenReader<RawMessage>(QueueStart.At(1 << 30)));
    }

    [LinuxFact]
    public void A_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1));
        }

        foreach (var file in new[] { _directory.SegmentFile(0), _directory.ControlFile })
        {
            File.Delete(file);
            Process.Start("mkfifo", [file]).WaitForExit();
            var reading = Task.Run(() =>
            {
                using var queue = MessageQueue.OpenReadOnly(_directory.Path);
                using var reader = queue.OpenReader<RawMessage>();
                reader.TryRead(out _);
            });

            var exception = Assert.Throws<QueueCorruptedException>(() => reading.WaitAsync(TimeSpan.FromSeconds(60)).GetAwaiter().GetResult());
            Assert.Equal(file, exception.File);
            Assert.Contains("not a regular file", exception.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Committing_is_moving_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        using var reader = queue.OpenReader<RawMessage>();

        Assert.True(reader.TryRead(out var first));
        first.Commit();
        Assert.Throws<ObjectDisposedException>(() => first.Message.Bytes.Length);
        Assert.True(reader.TryRead(out var second));
        second.Abandon();
        Assert.True(reader.TryRead(out var again));

        Assert.Equal(1, Payload.Number(again.Message.Bytes));
    }

    private static List<int> Numbers(MessageReader<RawMessage> reader)
    {
        var numbers = new List<int>();
        while (reader.TryRead(out var delivery))
        {
            numbers.Add(Payload.Number(delivery.Message.Bytes));
        }

        return numbers;
    }

    private List<string> Hashes() =>
        [.. from file in Directory.EnumerateFileSystemEntries(_directory.Path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            select file + (File.Exists(file) ? Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file))) + File.GetLastWriteTimeUtc(file).Ticks : "")];

    public sealed class DurableSingle() : ReaderTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : ReaderTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : ReaderTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : ReaderTests(QueueMode.Bounded, ProducerMode.Multiple);
}
