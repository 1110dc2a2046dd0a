using System.Text.Json.Serialization;

namespace BufferedMessages.Bridges;

/// <summary>The state of a receiver, as its journal keeps it.</summary>
internal sealed class JournalEntry
{
    public const int CurrentVersion = 1;

    public int Version { get; set; } = CurrentVersion;

    /// <summary>The id of the destination: a queue that was made anew has nothing yet.</summary>
    [JsonRequired]
    public Guid Destination { get; set; }

    /// <summary>The product of the broker.</summary>
    [JsonRequired]
    public string System { get; set; } = "";

    /// <summary>The name of the stream that the offset belongs to.</summary>
    [JsonRequired]
    public string Stream { get; set; } = "";

    /// <summary>The position in the destination of the last message that the journal counts.</summary>
    [JsonRequired]
    public long Position { get; set; }

    /// <summary>The offset of the last entry of the stream that was read.</summary>
    [JsonRequired]
    public ulong OffsetMajor { get; set; }

    /// <summary>The second part of the offset.</summary>
    [JsonRequired]
    public ulong OffsetMinor { get; set; }

    /// <summary>The run of the last entry that was read, by its queue and the place after it.</summary>
    [JsonRequired]
    public JournalPlace Run { get; set; } = new();

    /// <summary>The receiver did not begin at the beginning of the stream.</summary>
    public bool IsMidway { get; set; }

    /// <summary>The queue that the first entry of the stream begins; null for none.</summary>
    public Guid? Begun { get; set; }

    /// <summary>The queues whose messages came, and the places up to which they did.</summary>
    [JsonRequired]
    public List<JournalSource> Sources { get; set; } = [];

    [JsonIgnore]
    public ReadEntry Entry => new(new StreamOffset(OffsetMajor, OffsetMinor), new RunIdentity(Run.Queue, Run.Place));

    /// <summary>Whether the offset is one of a stream.</summary>
    public bool IsOf(IMessageStream stream) => (System, Stream) == (stream.System, stream.Name);
}

/// <summary>A place in a queue.</summary>
internal class JournalPlace
{
    public Guid Queue { get; set; }

    public long Epoch { get; set; }

    public long Position { get; set; }

    [JsonIgnore]
    public ChainPlace Place => new(Epoch, Position);
}

/// <summary>The place up to which the messages of a queue came.</summary>
internal sealed class JournalSource : JournalPlace
{
    /// <summary>The next run is accepted, whatever is missing before it.</summary>
    public bool AcceptsHole { get; set; }
}

/// <summary>The code that reads and writes the journal and the file beside it, made by the compiler.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(JournalEntry))]
[JsonSerializable(typeof(JournalHolder))]
internal sealed partial class JournalJson : JsonSerializerContext;
