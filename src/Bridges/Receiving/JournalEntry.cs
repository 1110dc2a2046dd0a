using System.Text.Json.Serialization;

namespace BufferedMessages.Bridges;

/// <summary>The state of a receiver, as its journal keeps it.</summary>
internal sealed class JournalEntry
{
    public const int CurrentVersion = 1;

    public int Version { get; set; } = CurrentVersion;

    /// <summary>The id of the destination: a queue that was made anew has nothing yet.</summary>
    public Guid Destination { get; set; }

    /// <summary>The position in the destination of the last message that the journal counts.</summary>
    public long Position { get; set; }

    /// <summary>The offset of the last entry of the stream that was read.</summary>
    public ulong OffsetMajor { get; set; }

    /// <summary>The second part of the offset.</summary>
    public ulong OffsetMinor { get; set; }

    /// <summary>The receiver did not begin at the beginning of the stream.</summary>
    public bool IsMidway { get; set; }

    /// <summary>The queues whose messages came, and the places up to which they did.</summary>
    public List<JournalSource> Sources { get; set; } = [];

    [JsonIgnore]
    public StreamOffset Offset => new(OffsetMajor, OffsetMinor);
}

/// <summary>The place up to which the messages of a queue came.</summary>
internal sealed class JournalSource
{
    public Guid Queue { get; set; }

    public long Epoch { get; set; }

    public long Position { get; set; }

    /// <summary>The next run is accepted, whatever is missing before it.</summary>
    public bool AcceptsHole { get; set; }
}

/// <summary>The code that reads and writes the journal, made by the compiler.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(JournalEntry))]
internal sealed partial class JournalJson : JsonSerializerContext;
