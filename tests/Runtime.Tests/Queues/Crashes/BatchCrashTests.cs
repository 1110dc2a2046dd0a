using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Batches and the disk: what a flush promises, what a crash of the machine leaves of a batch, and damaged records of one.</summary>
public sealed class BatchCrashTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private static readonly TimeSpan LastWait = TimeSpan.FromSeconds(1);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(true, ProducerMode.Single)]
    [InlineData(false, ProducerMode.Single)]
    [InlineData(true, ProducerMode.Multiple)]
    [InlineData(false, ProducerMode.Multiple)]
    public void A_tail_that_is_torn_at_any_byte_gives_whole_batches_only(bool isZeroed, ProducerMode producers)
    {
        // Batches of 1, 4 and 3 messages, and a message after them.
        int[] firsts = [0, 1, 5, 8];
        byte[][] payloads = [.. Enumerable.Range(0, 9).Select(number => Payload.Of(number, 3 + (number * 5)))];
        var positions = new List<long>();
        using (var queue = Open(_directory, producers))
        using (var producer = queue.OpenProducer(new() { StampTime = true }))
        {
            for (var i = 0; i + 1 < firsts.Length; i++)
            {
                using var batch = producer.ClaimBatch(600);
                foreach (var payload in payloads[firsts[i]..firsts[i + 1]])
                {
                    Assert.True(batch.TryAdd(payload));
                }

                positions.Add(batch.Publish());
            }

            positions.Add(producer.Publish(payloads[8]));
        }

        var ends = Ends();
        var written = File.ReadAllBytes(_directory.SegmentFile(0));
        var random = new Random(20_261_221);

        // Zeros at each byte, noise at some of each word.
        var step = isZeroed ? 1 : 3;
        for (var torn = (int)positions[0]; torn < ends[^1]; torn += step)
        {
            // A zero that becomes a zero: the files are those of the next byte.
            if (isZeroed && written[torn] == 0 && torn + 1 < ends[^1])
            {
                continue;
            }

            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            var rest = new byte[Segment - torn];
            if (!isZeroed)
            {
                random.NextBytes(rest);
            }

            QueueDirectory.Damage(crashed.SegmentFile(0), torn, rest);

            // Noise may begin with the bytes that were there.
            var damaged = torn + written.AsSpan(torn).CommonPrefixLength(rest);
            var intact = ends.Count(end => end <= damaged);
            var expected = intact == 9 ? 9 : firsts.Last(first => first <= intact);
            Assert.Equal(expected, CountBeforeRepair(crashed));

            using var again = Open(crashed, producers);

            Assert.NotNull(again.Recovery);
            MachineCrashTests.AssertHolds(again, payloads[..expected]);
        }
    }

    [Fact]
    public void Any_lost_page_of_a_batch_takes_the_batch_and_leaves_those_before_it()
    {
        const int Page = 4096;
        const int PerBatch = 20;
        var positions = new List<long>();
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            for (var number = 0; number < 5 * PerBatch; number += PerBatch)
            {
                using var batch = producer.ClaimBatch(PerBatch * 1_024);
                for (var i = number; i < number + PerBatch; i++)
                {
                    Assert.True(batch.TryAdd(Payload.Of(i, 1_000)));
                }

                positions.Add(batch.Publish());
            }
        }

        for (var lost = Page; lost < 2 * Segment && lost < positions[^1] + (PerBatch * 1_024); lost += Page)
        {
            if (lost % Segment == 0)
            {
                continue;
            }

            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            QueueDirectory.Damage(crashed.SegmentFile(lost / Segment * Segment), lost % Segment, new byte[Page]);

            using var again = Open(crashed);

            var whole = positions.Count(position => position + (PerBatch * 1_024) <= lost);
            MachineCrashTests.AssertHolds(again, [.. Enumerable.Range(0, whole * PerBatch).Select(number => Payload.Of(number, 1_000))]);
        }
    }

    [Fact]
    public void Without_checksums_a_batch_whose_last_header_is_lost_is_cut()
    {
        long first;
        using (var queue = Open(_directory, flush: FlushMode.None))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(0));
            first = PublishNumbers(producer, 1, 5);
        }

        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.SegmentFile(0), first + (4 * QueueDirectory.NumberRecord), new byte[QueueDirectory.NumberRecord]);

        using var again = Open(crashed, flush: FlushMode.None);

        Assert.Equal(first, again.Recovery!.Position);
        MachineCrashTests.AssertHolds(again, [Payload.Of(0)]);
    }

    [Fact]
    public void With_every_message_a_published_batch_is_on_the_disk_when_the_call_returns()
    {
        using var queue = Open(_directory, flush: FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        for (var number = 0; number < 500; number += 100)
        {
            var first = PublishNumbers(producer, number, 100);
            Assert.True(queue.DurablePosition >= first + (100 * QueueDirectory.NumberRecord));
            Assert.True(queue.WaitForDurable(first, TimeSpan.Zero));
        }

        using var crashed = MachineCrash.Of(_directory);
        using var again = Open(crashed, flush: FlushMode.EveryMessage);
        MachineCrashTests.AssertHolds(again, [.. Enumerable.Range(0, 500).Select(number => Payload.Of(number))]);
    }

    [Fact]
    public void The_messages_of_a_batch_count_for_the_interval()
    {
        using var queue = MessageQueue.Open(_directory.Path, new() { SegmentBytes = Segment, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1), FlushMessages = 50 });
        using var producer = queue.OpenProducer();

        var first = PublishNumbers(producer, 0, 50);

        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition >= first + (50 * QueueDirectory.NumberRecord), TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void Each_record_of_a_batch_has_its_own_checksum()
    {
        const int Messages = 5;
        long first;
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            first = PublishNumbers(producer, 0, Messages);
        }

        for (var damaged = 0; damaged < Messages; damaged++)
        {
            using var copy = _directory.Crash();
            QueueDirectory.Damage(copy.SegmentFile(0), first + (damaged * QueueDirectory.NumberRecord) + 16, 0xFF);
            using var queue = Open(copy);
            using var consumer = queue.OpenConsumer<RawMessage>("all");
            for (var number = 0; number < damaged; number++)
            {
                Assert.True(consumer.TryRead(out var delivery));
                Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
                delivery.Commit();
            }

            Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _));
        }
    }

    [Fact]
    public void Any_bytes_after_the_first_record_of_a_batch_lead_to_messages_or_to_an_exception()
    {
        using (var queue = Open(_directory, flush: FlushMode.None))
        using (var producer = queue.OpenProducer())
        {
            PublishNumbers(producer, 0, 20);
        }

        var random = new Random(22);
        var noise = new byte[QueueDirectory.NumberRecord];
        var kinds = new HashSet<string>();
        for (var i = 0; i < 300; i++)
        {
            using var copy = _directory.Crash();
            random.NextBytes(noise);
            var offset = QueueDirectory.FirstRecord + (random.Next(1, 20) * QueueDirectory.NumberRecord);
            QueueDirectory.Damage(copy.SegmentFile(0), offset + random.Next(4), noise.AsSpan(0, 1 + random.Next(12)));
            using var queue = Open(copy, flush: FlushMode.None);
            using var consumer = queue.OpenConsumer<RawMessage>("all", new() { MessagesPerCommit = 8 });
            using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            var read = 0;
            try
            {
                foreach (var delivery in consumer.ReadAll(stop.Token))
                {
                    Assert.InRange(delivery.Message.Bytes.Length, 0, Segment);
                    stop.CancelAfter(LastWait);
                    if (++read == 20)
                    {
                        stop.Cancel();
                    }
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException or OperationCanceledException)
            {
                kinds.Add(exception.GetType().Name);
            }

            Assert.InRange(read, 1, 20);
        }

        Assert.Contains(nameof(QueueCorruptedException), kinds);
    }

    private static MessageQueue Open(QueueDirectory directory, ProducerMode producers = ProducerMode.Multiple, FlushMode flush = FlushMode.Interval) => MessageQueue.Open(
        directory.Path,
        new MessageQueueOptions { SegmentBytes = Segment, Producers = producers, Flush = flush, FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromHours(1) : null });

    private static long PublishNumbers(MessageProducer producer, int first, int count)
    {
        using var batch = producer.ClaimBatch(count * QueueDirectory.NumberRecord);
        for (var number = first; number < first + count; number++)
        {
            Assert.True(batch.TryAdd(Payload.Of(number)));
        }

        return batch.Publish();
    }

    /// <summary>The ends of the messages: of their bytes and properties.</summary>
    private List<long> Ends()
    {
        var ends = new List<long>();
        var bytes = File.ReadAllBytes(_directory.SegmentFile(0));
        for (var offset = (int)QueueDirectory.FirstRecord; BitConverter.ToUInt64(bytes, offset) is var word && word != 0; offset += (int)RecordWord.Bytes(word))
        {
            if (RecordWord.State(word) == RecordWord.Committed)
            {
                ends.Add(offset + RecordWord.Bytes(word));
            }
        }

        return ends;
    }

    /// <summary>What a reader sees of a queue that was not repaired yet.</summary>
    private static int CountBeforeRepair(QueueDirectory crashed)
    {
        using var queue = MessageQueue.OpenExisting(crashed.Path);
        using var reader = queue.OpenReader<RawMessage>();
        var count = 0;
        while (reader.TryRead(out _))
        {
            count++;
        }

        return count;
    }
}
