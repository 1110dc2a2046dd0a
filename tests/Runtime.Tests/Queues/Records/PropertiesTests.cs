using System.Buffers.Binary;
using System.Diagnostics;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class PropertiesTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private static readonly ProducerOptions AllStamps = new() { StampTime = true, StampTrace = true };

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void All_properties_come_back_as_they_were_given()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var reader = queue.OpenReader<RawMessage>();
        var given = All();
        producer.Publish(Payload.Of(7, 13), given);

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(Payload.Of(7, 13), delivery.Message.Bytes);
        AssertEqual(given, delivery.Properties);
        AssertEqual(given, delivery.Properties.ToProperties());
        delivery.Commit();

        Assert.True(reader.TryRead(out var looked));
        AssertEqual(given, looked.Properties);
        looked.Dispose();
    }

    [Fact]
    public void A_member_that_takes_over_a_message_sees_its_properties()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1), All());
        using (var first = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
        {
            Assert.True(first.TryRead(out var taken));
            taken.Dispose();
        }

        using var second = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Assert.True(second.TryRead(out var delivery));
        Assert.True(delivery.IsRedelivery);
        AssertEqual(All(), delivery.Properties);
        delivery.Commit();
    }

    [Fact]
    public void A_message_without_properties_has_none_and_costs_no_bytes()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var first = producer.Publish(new byte[16]);
        var second = producer.Publish(new byte[16], new MessageProperties());
        var third = producer.Publish(new byte[16]);

        Assert.Equal((32, 32), (second - first, third - second));
        Assert.True(consumer.TryRead(out var delivery));
        Assert.True(delivery.Properties.IsEmpty);
        Assert.Null(delivery.Properties.Time);
        Assert.True(delivery.Properties.CorrelationId.IsNull);
        Assert.Equal(default, delivery.Properties.TraceContext);
        Assert.Null(delivery.Properties.Source);
        Assert.False(delivery.Properties.TryGetHeader("tenant", out _));
        delivery.Commit();
    }

    [Fact]
    public void A_producer_stamps_the_time_and_the_trace()
    {
        using var source = new ActivitySource("test");
        using var listener = new ActivityListener { ShouldListenTo = static source => source.Name == "test", Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData };
        ActivitySource.AddActivityListener(listener);
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(AllStamps);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var before = DateTimeOffset.UtcNow;
        ActivityContext expected;
        using (var activity = source.StartActivity("publish"))
        {
            expected = activity!.Context;
            producer.Publish(Payload.Of(1));
        }

        producer.Publish(Payload.Of(2), new MessageProperties { Time = DateTimeOffset.UnixEpoch, CorrelationId = "c" });

        Assert.True(consumer.TryRead(out var first));
        Assert.InRange(first.Properties.Time!.Value, before, DateTimeOffset.UtcNow);
        Assert.Equal((expected.TraceId, expected.SpanId, expected.TraceFlags), (first.Properties.TraceContext.TraceId, first.Properties.TraceContext.SpanId, first.Properties.TraceContext.TraceFlags));
        Assert.True(first.Properties.TraceContext.IsRemote);
        first.Commit();
        Assert.True(consumer.TryRead(out var second));
        Assert.Equal(DateTimeOffset.UnixEpoch, second.Properties.Time);
        Assert.Equal("c", second.Properties.CorrelationId);
        Assert.Equal(default, second.Properties.TraceContext);
        second.Commit();
    }

    [Fact]
    public void Payloads_of_all_lengths_and_claims_that_are_shortened_keep_their_properties()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(new() { StampTime = true });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var length = 0; length < 200; length++)
        {
            var properties = new MessageProperties { CorrelationId = new string('x', length) };
            producer.Publish(Payload.Of(length, length), properties);
            using var claim = producer.Claim(300, properties);
            Payload.Of(length, length).CopyTo(claim.Span);
            claim.Commit(length);
            using var abandoned = producer.Claim(50, properties);
        }

        producer.Publish(Payload.Of(1, 40));
        for (var i = 0; i < 400; i++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(Payload.Of(i / 2, i / 2), delivery.Message.Bytes);
            Assert.Equal(i / 2, delivery.Properties.CorrelationId.Length);
            Assert.NotNull(delivery.Properties.Time);
            delivery.Commit();
        }

        Assert.True(consumer.TryRead(out var last));
        Assert.True(last.Properties.CorrelationId.IsNull);
        last.Commit();
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void Publishing_and_reading_with_time_and_trace_allocates_nothing()
    {
        using var activity = new Activity("publish").SetIdFormat(ActivityIdFormat.W3C).Start();
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 32);
        using var producer = queue.OpenProducer(AllStamps);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var payload = new byte[64];
        var ticks = 0L;

        Allocations.AssertNone(() =>
        {
            for (var i = 0; i < 500; i++)
            {
                producer.Publish(payload);
                consumer.TryRead(out var delivery);
                ticks += delivery.Properties.Time!.Value.Ticks + (delivery.Properties.CorrelationId.IsNull ? 0 : 1);
                delivery.Commit();
            }
        });
        Assert.NotEqual(0, ticks);
    }

    [Fact]
    public void A_property_or_a_message_that_is_too_large_is_refused_and_the_producer_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Assert.Null(Assert.Throws<ArgumentException>(() => producer.Publish([1], new MessageProperties { Reason = new string('x', 65_001) })).ParamName);
        Assert.Throws<MessageTooLargeException>(() => producer.Publish(new byte[producer.MaxMessageBytes], new MessageProperties { Reason = "x" }));
        Assert.Throws<MessageTooLargeException>(() => producer.Publish(new byte[producer.MaxMessageBytes - 60_000], new MessageProperties { Reason = new string('x', 60_000) }));
        producer.Publish(Payload.Of(3), new MessageProperties { Reason = new string('x', 60_000) });
        producer.Publish(Payload.Of(4));

        Assert.Equal([3, 4], Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData("0800E9FD", 65_004)] // A header of 65,001 bytes.
    [InlineData("01000800000000000000000001000800", 8)] // Two times.
    [InlineData("0400000001000800", 8)] // A correlation id before the time.
    [InlineData("01000400", 4)] // A time of 4 bytes.
    [InlineData("02001800", 24)] // A trace of 24 bytes.
    [InlineData("03002100", 36)] // A source of 33 bytes.
    [InlineData("06000800", 8)] // Attempts of 8 bytes.
    [InlineData("08000100", 4)] // A header without the length of its name.
    [InlineData("080002000100", 2)] // A header whose name is outside of it.
    [InlineData("04000900", 4)] // A correlation id that ends outside of the block.
    [InlineData("0000000001", 3)] // A byte after the end.
    public void A_copy_with_damaged_properties_is_refused_and_the_producer_goes_on(string first, int zeros)
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(3));
        }

        using var copies = queue.OpenCopyProducer(queue.Content!, verify: false);
        byte[] entries = [.. Convert.FromHexString(first), .. new byte[zeros]];
        Assert.Throws<MalformedMessageException>(() => copies.TryPublishCopy([1], entries, default, out _));
        Assert.Throws<MalformedMessageException>(() => copies.TryPublishCopy([1], entries, new CopyStamps(default(MessageId), DateTimeOffset.UnixEpoch), out _));
        Assert.True(copies.TryPublishCopy(Payload.Of(4), [], default, out _));

        Assert.Equal([3, 4], Payload.ReadNumbers(consumer));
    }

    // The format has an unsigned number.
    [Fact]
    public void The_number_of_attempts_is_never_negative()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessageProperties { Attempts = -1 });
        using var queue = _directory.Open();
        using (var first = queue.OpenProducer())
        {
            first.Publish(Payload.Of(1));
        }

        using var copies = queue.OpenCopyProducer(queue.Content!, verify: false);
        var entries = new byte[8];
        BinaryPrimitives.WriteUInt16LittleEndian(entries, (ushort)PropertyKind.Attempts);
        BinaryPrimitives.WriteUInt16LittleEndian(entries.AsSpan(sizeof(ushort)), sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(entries.AsSpan(4), 0x8000_0001);
        Assert.True(copies.TryPublishCopy(Payload.Of(2), entries, default, out var position));

        using var reader = queue.OpenReader<RawMessage>(QueueStart.At(position));
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal((int.MaxValue, int.MaxValue), (delivery.Properties.Attempts, delivery.Properties.ToProperties().Attempts));
        delivery.Dispose();
    }

    [Fact]
    public void Damaged_properties_are_reported_and_the_message_can_still_be_read()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var position = producer.Publish(Payload.Of(5), new MessageProperties { CorrelationId = "correlation" });
        var damaged = 0;
        for (var offset = RecordWord.HeaderBytes + 8; offset < 48; offset++)
        {
            using var copy = _directory.Crash();
            QueueDirectory.Damage(copy.SegmentFile(0), position + offset, 0xFF);
            using var again = copy.Open();
            using var other = again.OpenConsumer<RawMessage>("all");
            Assert.True(other.TryRead(out var delivery));
            Assert.Equal(5, Payload.Number(delivery.Message.Bytes));
            try
            {
                _ = delivery.Properties.CorrelationId;
            }
            catch (QueueCorruptedException exception)
            {
                Assert.Contains("properties", exception.Message, StringComparison.Ordinal);
                damaged++;
            }

            delivery.Dispose();
        }

        Assert.Equal(24, damaged);
        Assert.Equal([5], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Hostile_property_blocks_are_read_or_reported_and_nothing_outside_the_record_is_read()
    {
        var (random, bytes) = (new Random(20), new Random(21));
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var i = 0; i < 2_000; i++)
        {
            var properties = All();
            properties.CorrelationId = new string('x', random.Next(40));
            var position = producer.Publish(Payload.Of(i, random.Next(20)), properties);
            var length = (int)(producer.Publish([]) - position);
            var noise = new byte[random.Next(1, 9)];
            bytes.NextBytes(noise);
            using (var file = new FileStream(_directory.SegmentFile(position / QueueDirectory.SmallSegment * QueueDirectory.SmallSegment), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            {
                file.Position = _directory.IsBounded ? position : position % QueueDirectory.SmallSegment;
                file.Position += random.Next(40, length - noise.Length);
                file.Write(noise);
            }

            Assert.True(consumer.TryRead(out var delivery));
            try
            {
                delivery.Properties.ToProperties();
            }
            catch (QueueCorruptedException)
            {
            }

            delivery.Commit();
            Assert.True(consumer.TryRead(out delivery));
            delivery.Commit();
            if (position > 20 * QueueDirectory.SmallSegment)
            {
                break;
            }
        }
    }

    [Fact]
    public async Task Asynchronous_publishing_and_publishers_take_properties()
    {
        using var queue = _directory.Open();
        using (var producer = queue.OpenProducer())
        {
            await producer.PublishAsync(Payload.Of(1), Timeout.InfiniteTimeSpan, new MessageProperties { ReplyTo = "here" });
            await producer.PublishAsync(Payload.Of(2), TimeSpan.FromSeconds(5), new MessageProperties { ReplyTo = "there" });
        }

        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var first));
        Assert.Equal("here", first.Properties.ReplyTo);
        first.Commit();
        Assert.True(consumer.TryRead(out var second));
        Assert.Equal("there", second.Properties.ReplyTo);
        second.Commit();
    }

    private static MessageProperties All()
    {
        var properties = new MessageProperties
        {
            Time = new DateTimeOffset(2026, 11, 23, 4, 5, 6, TimeSpan.Zero),
            TraceContext = new ActivityContext(
                ActivityTraceId.CreateFromString("0af7651916cd43dd8448eb211c80319c"), ActivitySpanId.CreateFromString("b7ad6b7169203331"), ActivityTraceFlags.Recorded, "a=1,b=2", isRemote: true),
            Source = new MessageId(Guid.Parse("01020304-0506-0708-090a-0b0c0d0e0f10"), 3, 4711),
            CorrelationId = "request 7",
            ReplyTo = "/queues/réponses",
            Attempts = 5,
            Reason = "",
        };
        properties.Headers["tenant"] = "north";
        properties.Headers["größe"] = "";
        return properties;
    }

    private static void AssertEqual(MessageProperties expected, DeliveryProperties actual)
    {
        AssertEqual(expected, actual.ToProperties());
        Assert.True(actual.TryGetHeader("größe", out var empty));
        Assert.Equal("", empty);
        Assert.False(actual.TryGetHeader("other", out _));
    }

    private static void AssertEqual(MessageProperties expected, MessageProperties actual)
    {
        Assert.Equal(expected.Time, actual.Time);
        Assert.Equal(expected.TraceContext, actual.TraceContext);
        Assert.Equal(expected.Source, actual.Source);
        Assert.Equal(
            (expected.CorrelationId, expected.ReplyTo, expected.Attempts, expected.Reason), (actual.CorrelationId, actual.ReplyTo, actual.Attempts, actual.Reason));
        Assert.Equal(expected.Headers, actual.Headers);
    }

    [Collection(ProcessWideSwitches.Name)]
    public sealed class DurableMany() : PropertiesTests(QueueMode.Durable, ProducerMode.Multiple);

    [Collection(ProcessWideSwitches.Name)]
    public sealed class DurableSingle() : PropertiesTests(QueueMode.Durable, ProducerMode.Single);

    [Collection(ProcessWideSwitches.Name)]
    public sealed class BoundedMany() : PropertiesTests(QueueMode.Bounded, ProducerMode.Multiple);

    [Collection(ProcessWideSwitches.Name)]
    public sealed class BoundedSingle() : PropertiesTests(QueueMode.Bounded, ProducerMode.Single);
}
