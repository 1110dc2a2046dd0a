using System.Diagnostics;
using Music;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Makes a queue of each kind: both modes, one producer and many, with and without checksums, messages, bytes and values, with and without properties.</summary>
internal static class QueueMaker
{
    public const int SmallSegment = 64 * 1024;
    private const int Messages = 90;

    /// <summary>The position of the padding with the checksum 0.</summary>
    public const int ZeroChecksumPosition = 599_040;

    /// <summary>The kinds.</summary>
    public static IReadOnlyDictionary<string, MessageQueueOptions> Kinds { get; } = new Dictionary<string, MessageQueueOptions>
    {
        ["durable-many"] = new() { SegmentBytes = SmallSegment },
        ["durable-single"] = new() { SegmentBytes = SmallSegment, Producers = ProducerMode.Single },
        ["durable-interval"] = new() { SegmentBytes = SmallSegment, Flush = FlushMode.Interval },
        ["durable-every-message"] = new() { SegmentBytes = SmallSegment, Flush = FlushMode.EveryMessage, Producers = ProducerMode.Single },
        ["bounded-many"] = new() { SegmentBytes = SmallSegment, Mode = QueueMode.Bounded, Slots = 2 },
        ["bounded-single"] = new() { SegmentBytes = SmallSegment, Mode = QueueMode.Bounded, Slots = 2, Producers = ProducerMode.Single },
    };

    /// <summary>Makes a queue of raw bytes that fill more than a segment, with claims that were shortened or given up between them.</summary>
    public static void MakeBytes(string directory, MessageQueueOptions options)
    {
        using var queue = MessageQueue.Open(directory, options);
        using var producer = queue.OpenProducer();
        var random = new Random(20);
        for (var i = 0; i < Messages; i++)
        {
            var payload = new byte[random.Next(i % 5 == 0 ? 6_000 : 200)];
            random.NextBytes(payload);
            producer.Publish(payload, i % 3 == 0 ? PropertiesOf(i) : null);
            using var claim = producer.Claim(300);
            payload.AsSpan(0, Math.Min(payload.Length, 100)).CopyTo(claim.Span);
            if (i % 4 != 0)
            {
                claim.Commit(Math.Min(payload.Length, 100));
            }

            claim.Dispose();
            if (i % 6 == 0)
            {
                PublishBatch(producer, payload, i / 6);
            }
        }
    }

    private static void PublishBatch(MessageProducer producer, byte[] payload, int i)
    {
        using var batch = producer.ClaimBatch(1_200);
        for (var k = 0; k < i % 4; k++)
        {
            batch.TryAdd(payload.AsSpan(0, Math.Min(payload.Length, 10 * k)), (i + k) % 3 == 0 ? PropertiesOf(k) : null);
        }

        if (i % 5 != 0)
        {
            batch.Publish();
        }
    }

    /// <summary>Makes a queue of messages.</summary>
    public static void MakeMessages(string directory, MessageQueueOptions options)
    {
        using var queue = MessageQueue.Open(directory, options);
        using var producer = queue.OpenProducer<Album>();
        for (var i = 0; i < Messages; i++)
        {
            var album = new Album
            {
                Title = i % 7 == 0 ? null! : $"Album \"{i}\" ünd mehr",
                Year = (ushort)(1900 + i),
                Live = i % 2 == 0,
                Rating = i % 3 == 0 ? null : i / 4.0,
                Genres = [.. Enumerable.Range(0, i % 5).Select(static genre => genre == 2 ? null : $"genre {genre}")],
                Tracks = [.. Enumerable.Range(0, i % 4).Select(static track => track == 1 ? null : new Track { Title = "So What", Seconds = track * 100 })],
                Sales = [i, -i],
                Discs = i,
            };
            producer.Publish(album, i % 3 == 0 ? PropertiesOf(i) : null);
        }
    }

    /// <summary>Makes a queue with two messages, and between them padding whose checksum is 0: that of a claim by the first participant, of this length and at this position.</summary>
    public static void MakeZeroChecksum(string directory)
    {
        const int SegmentHeaderBytes = 128;
        const int RecordHeaderBytes = 16;
        const int PaddingBytes = 223_472;
        using var queue = MessageQueue.Open(directory, new() { SegmentBytes = 1024 * 1024, Flush = FlushMode.Interval });
        using var producer = queue.OpenProducer();
        producer.Publish(new byte[ZeroChecksumPosition - SegmentHeaderBytes - RecordHeaderBytes]);
        producer.Claim(PaddingBytes - RecordHeaderBytes).Dispose();
        producer.Publish("after the padding"u8);
    }

    private static MessageProperties PropertiesOf(int i)
    {
        var properties = new MessageProperties
        {
            Time = new DateTimeOffset(2026, 11, 23, 4, 5, 6, TimeSpan.Zero).AddTicks(i),
            TraceContext = new ActivityContext(
                ActivityTraceId.CreateFromString("0af7651916cd43dd8448eb211c80319c"), ActivitySpanId.CreateFromString("b7ad6b7169203331"), ActivityTraceFlags.Recorded, i % 2 == 0 ? "a=1" : null),
            Source = new MessageId(Guid.Parse("01020304-0506-0708-090a-0b0c0d0e0f10"), 3, 16 * i),
            CorrelationId = $"request <{i}>",
            ReplyTo = "réponses",
            Attempts = i,
            Reason = i % 2 == 0 ? "" : null,
        };
        properties.Headers["tenant"] = "north & south";
        return properties;
    }
}
