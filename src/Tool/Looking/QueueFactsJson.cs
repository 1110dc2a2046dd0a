using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>The facts of a queue for programs.</summary>
internal static class QueueFactsJson
{
    /// <summary>Writes them as an object.</summary>
    public static void Write(Utf8JsonWriter json, QueueFacts facts)
    {
        json.WriteStartObject();
        json.WriteString("kind"u8, "queue"u8);
        json.WriteString("path"u8, facts.Statistics.Path);
        json.WriteString("id"u8, facts.Id);
        json.WriteNumber("epoch"u8, facts.Epoch);
        if (facts.Created is { } created)
        {
            json.WriteString("created"u8, created.UtcDateTime);
        }

        json.WriteNumber("segments"u8, facts.Segments);
        WriteOptions(json, facts.Options);
        json.WriteStartArray("schemas"u8);
        foreach (var schema in facts.Schemas)
        {
            json.WriteStartObject();
            json.WriteString("name"u8, schema.Name);
            json.WriteString("fingerprint"u8, schema.Fingerprint.ToString("x16", CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        WriteStatistics(json, facts.Statistics);
        json.WriteEndObject();
    }

    /// <summary>Writes positions, counts, producers and names as members of an object.</summary>
    public static void WriteStatistics(Utf8JsonWriter json, QueueStatistics statistics)
    {
        json.WriteNumber("firstPosition"u8, statistics.FirstPosition);
        json.WriteNumber("publishedPosition"u8, statistics.PublishedPosition);
        json.WriteNumber("durablePosition"u8, statistics.DurablePosition);
        json.WriteNumber("bytes"u8, statistics.Bytes);
        json.WriteNumber("unreadBytes"u8, statistics.UnreadBytes);
        json.WriteNumber("spaceWaits"u8, statistics.SpaceWaits);
        json.WriteNumber("wakes"u8, statistics.Wakes);
        ConsumerNameJson.WriteParticipants(json, "producers", statistics.Producers);
        json.WriteStartArray("names"u8);
        foreach (var name in statistics.Consumers)
        {
            ConsumerNameJson.Write(json, name);
        }

        json.WriteEndArray();
    }

    private static void WriteOptions(Utf8JsonWriter json, MessageQueueOptions options)
    {
        json.WriteString("mode"u8, options.Mode == QueueMode.Bounded ? "bounded"u8 : "durable"u8);
        json.WriteString("producerMode"u8, options.Producers == ProducerMode.Single ? "single"u8 : "multiple"u8);
        json.WriteNumber("segmentBytes"u8, options.SegmentBytes ?? 0);
        if (options.Slots is { } slots)
        {
            json.WriteNumber("slots"u8, slots);
        }

        json.WriteString("flush"u8, options.Flush switch { FlushMode.Interval => "interval"u8, FlushMode.EveryMessage => "everyMessage"u8, _ => "none"u8 });
        if (options is { FlushInterval: { } interval, FlushMessages: { } messages })
        {
            json.WriteNumber("flushSeconds"u8, interval.TotalSeconds);
            json.WriteNumber("flushMessages"u8, messages);
        }

        if (options.Retention is { } retention)
        {
            json.WriteStartObject("retention"u8);
            WriteNumber(json, "maxBytes", retention.MaxBytes);
            WriteNumber(json, "maxAgeSeconds", retention.MaxAge?.TotalSeconds);
            WriteNumber(json, "hardLimitBytes", retention.HardLimitBytes);
            json.WriteBoolean("deleteRead"u8, retention.DeleteRead);
            json.WriteBoolean("keepUnread"u8, retention.KeepUnread);
            json.WriteBoolean("dropOldestAtHardLimit"u8, retention.DropOldestAtHardLimit);
            json.WriteEndObject();
        }
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, double? number)
    {
        if (number is { } known)
        {
            json.WriteNumber(name, known);
        }
    }
}
