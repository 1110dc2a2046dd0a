using System.Buffers.Binary;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Control files and records of other versions. A required feature that is unknown fences them off, an optional one does not.</summary>
public abstract class NewerFormatTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private const string Advice = "Update the BufferedMessages package";
    private const int OptionalFeaturesByte = 2;
    private const int RequiredFeaturesByte = 3;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(QueueFormat.ControlVersionOffset, 3u)]
    [InlineData(QueueFormat.ControlVersionOffset, uint.MaxValue)]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset, 2u)]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset, 3u)]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset, 1u << 31)]
    [InlineData(QueueFormat.ControlRetentionFlagsOffset, 8u)]
    [InlineData(QueueFormat.ControlRetentionFlagsOffset, 15u)]
    [InlineData(QueueFormat.ControlRetentionFlagsOffset, 1u << 31)]
    [InlineData(QueueFormat.ControlContentOffset, 4u)]
    [InlineData(QueueFormat.ControlContentOffset, uint.MaxValue)]
    public void A_control_file_with_what_this_version_does_not_know_is_refused(int offset, uint value)
    {
        PublishNumbers();
        var hashes = QueueFormat.HashesOfMessages(_directory);
        QueueDirectory.Damage(_directory.ControlFile, offset, BitConverter.GetBytes(value));
        var control = File.ReadAllBytes(_directory.ControlFile);

        foreach (var open in new Func<MessageQueue>[] { () => _directory.Open(), () => MessageQueue.OpenExisting(_directory.Path) })
        {
            var exception = Assert.Throws<NotSupportedException>(open);
            Assert.Contains(Advice, exception.Message, StringComparison.Ordinal);
            Assert.Contains(_directory.ControlFile, exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(control, File.ReadAllBytes(_directory.ControlFile));
        Assert.Equal(hashes, QueueFormat.HashesOfMessages(_directory));
        Assert.True(MessageQueue.Exists(_directory.Path));
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(1u)]
    public void A_control_file_of_an_earlier_version_is_refused_and_can_be_deleted(uint version)
    {
        PublishNumbers();
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlVersionOffset, BitConverter.GetBytes(version));

        var exception = Assert.Throws<NotSupportedException>(() => _directory.Open());

        Assert.Contains($"'{_directory.ControlFile}' is of format version {version}, from before the first release; this program knows version 2.", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Read the queue to its end with the program that wrote it, and delete it.", exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Advice, exception.Message, StringComparison.Ordinal);
        Assert.True(MessageQueue.Delete(_directory.Path));
        Assert.False(Directory.Exists(_directory.Path));
    }

    [Fact]
    public void Optional_features_of_a_control_file_are_ignored_and_stay()
    {
        PublishNumbers();
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlOptionalFeaturesOffset, 0xFF, 0xFF, 0xFF, 0xFF);

        using (var queue = _directory.Open())
        using (var consumer = queue.OpenConsumer<RawMessage>("all"))
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 3, 1);
            Assert.Equal([0, 1, 2, 3], Payload.ReadNumbers(consumer));
        }

        Assert.Equal(uint.MaxValue, BinaryPrimitives.ReadUInt32LittleEndian(File.ReadAllBytes(_directory.ControlFile).AsSpan(QueueFormat.ControlOptionalFeaturesOffset)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_record_with_an_unknown_required_feature_stays_the_next_one(bool hasChecksums)
    {
        var positions = PublishNumbers(hasChecksums);
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        for (var bit = 0; bit < 8; bit++)
        {
            SetByte(positions[1], RequiredFeaturesByte, (byte)(1 << bit));
            using (var consumer = queue.OpenConsumer<RawMessage>("alone"))
            using (var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
            using (var reader = queue.OpenReader<RawMessage>())
            {
                Assert.Equal(0, ReadOne(consumer));
                Assert.Equal(0, ReadOne(member));
                Assert.True(reader.TryRead(out _));

                RequireAdvice(Assert.Throws<NotSupportedException>(() => consumer.TryRead(out _)));
                RequireAdvice(Assert.Throws<NotSupportedException>(() => consumer.TryRead(out _, Generous)));
                RequireAdvice(await Assert.ThrowsAsync<NotSupportedException>(async () => await consumer.WaitToReadAsync(Generous)));
                RequireAdvice(Assert.Throws<NotSupportedException>(() =>
                {
                    foreach (var _ in consumer.ReadAll())
                    {
                        Assert.Fail("The record was delivered.");
                    }
                }));
                RequireAdvice(Assert.Throws<NotSupportedException>(() => member.TryRead(out _)));
                RequireAdvice(Assert.Throws<NotSupportedException>(() => member.TryRead(out _, Generous)));
                RequireAdvice(Assert.Throws<NotSupportedException>(() => reader.TryRead(out _)));
                RequireAdvice(Assert.Throws<NotSupportedException>(() => reader.TryRead(out _, Generous)));
                Assert.Equal([positions[1], positions[1]], queue.GetStatistics().Consumers.Select(name => name.Position));
                Assert.Equal((positions[1], positions[1]), (consumer.Position, reader.Position));

                SetByte(positions[1], RequiredFeaturesByte, 0);
                Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
                Assert.Equal([1, 2], Payload.ReadNumbers(member));
                Assert.True(reader.TryRead(out var second));
                Assert.Equal(1, Payload.Number(second.Message.Bytes));
            }

            Assert.True(queue.DeleteConsumer("alone"));
            Assert.True(queue.DeleteConsumer("group"));
        }

        void RequireAdvice(NotSupportedException exception)
        {
            Assert.Contains(Advice, exception.Message, StringComparison.Ordinal);
            Assert.Contains(_directory.SegmentFile(0), exception.Message, StringComparison.Ordinal);
            Assert.Contains($"a record at position {positions[1]} ", exception.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Unknown_optional_features_of_a_record_are_ignored(bool hasChecksums)
    {
        // All but bit 16, which announces properties.
        var positions = PublishNumbers(hasChecksums);
        foreach (var position in positions)
        {
            SetByte(position, OptionalFeaturesByte, 0xFE);
            if (hasChecksums && !_directory.IsBounded)
            {
                // Over the position, the state word, the bytes of the payload, and the payload.
                var record = QueueFormat.ReadSegment(_directory, 0).AsSpan((int)position);
                var check = QueueFormat.Check([.. BitConverter.GetBytes(position), .. record[..12], .. record.Slice(RecordWord.HeaderBytes, sizeof(int))]);
                QueueDirectory.Damage(_directory.SegmentFile(0), position + 12, BitConverter.GetBytes(check));
            }
        }

        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var consumer = queue.OpenConsumer<RawMessage>("alone");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var reader = queue.OpenReader<RawMessage>();
        Assert.Equal([0, 1, 2], Payload.ReadNumbers(consumer));
        Assert.Equal([0, 1, 2], Payload.ReadNumbers(member));
        for (var number = 0; number < 3; number++)
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
        }
    }

    [Fact]
    public void A_record_of_a_newer_version_that_a_member_left_keeps_no_participant_from_opening()
    {
        var positions = PublishNumbers();
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using (var leaver = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
        {
            Assert.True(leaver.TryRead(out var delivery));
            delivery.Dispose();
        }

        SetByte(positions[0], RequiredFeaturesByte, 1);
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });

        // The member comes to the record that was left at one of its next looks: before, between or after the others.
        var refusals = new List<string>();
        var numbers = new List<int>();
        while (refusals.Count == 0 || numbers.Count < 2)
        {
            try
            {
                Assert.True(member.TryRead(out var delivery, Generous));
                numbers.Add(Payload.Number(delivery.Message.Bytes));
                delivery.Commit();
            }
            catch (NotSupportedException refusal)
            {
                refusals.Add(refusal.Message);
            }
        }

        Assert.Equal([1, 2], numbers);
        Assert.All(refusals, refusal => Assert.Contains($"a record at position {positions[0]} ", refusal, StringComparison.Ordinal));
        SetByte(positions[0], RequiredFeaturesByte, 0);
        Assert.True(member.TryRead(out var left, Generous));
        Assert.Equal((0, true), (Payload.Number(left.Message.Bytes), left.IsRedelivery));
        left.Commit();
    }

    [Fact]
    public void A_segment_of_a_newer_version_ends_no_background_thread()
    {
        if (_directory.IsBounded)
        {
            return;
        }

        using var queue = Open(FlushMode.Interval);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(new byte[QueueDirectory.LargestPayload]);

        // A program of a newer version opens the next segment.
        var handle = QueueHandle.Open(_directory.Path);
        ((FileSegments)handle.Segments).CreateFile(1, "1.creating");
        handle.Release();
        QueueFormat.ChangeHeader(_directory, 1, QueueFormat.VersionOffset, 2);
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlOpenSegmentsOffset, 2);

        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == QueueDirectory.SmallSegment, Generous));
        Assert.Contains(Advice, Assert.Throws<NotSupportedException>(() => queue.Flush()).Message, StringComparison.Ordinal);
        Assert.Contains(Advice, Assert.Throws<NotSupportedException>(() => producer.Publish("x"u8)).Message, StringComparison.Ordinal);
        Assert.Equal(QueueDirectory.LargestPayload, ReadLength(consumer));
        Assert.Contains(Advice, Assert.Throws<NotSupportedException>(() => consumer.TryRead(out _)).Message, StringComparison.Ordinal);
    }

    private static int ReadOne(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery));
        var number = Payload.Number(delivery.Message.Bytes);
        delivery.Commit();
        return number;
    }

    private static int ReadLength(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery));
        var length = delivery.Message.Bytes.Length;
        delivery.Commit();
        return length;
    }

    private void SetByte(long position, int index, byte value) => QueueDirectory.Damage(_directory.SegmentFile(0), position + index, value);

    private long[] PublishNumbers(bool hasChecksums = false)
    {
        using var queue = Open(hasChecksums ? FlushMode.Interval : FlushMode.None);
        using var producer = queue.OpenProducer();
        return Payload.PublishNumbers(producer, 0, 3);
    }

    // A bounded queue has no checksums.
    private MessageQueue Open(FlushMode flush) => _directory.IsBounded
        ? _directory.Open()
        : MessageQueue.Open(_directory.Path, new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            Producers = _directory.IsSingle ? ProducerMode.Single : ProducerMode.Multiple,
            Flush = flush,
            FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromMilliseconds(1) : null,
        });

    public sealed class DurableSingle() : NewerFormatTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : NewerFormatTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : NewerFormatTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : NewerFormatTests(QueueMode.Bounded, ProducerMode.Multiple);
}
