using System.Buffers.Binary;
using BufferedMessages.Runtime.Tests.Arbitrary;
using BufferedMessages.Runtime.Tests.Unions;
using BufferedMessages.Runtime.Tests.Wire;
using BufferedMessages.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Makes the messages of the corpus of a release: random types of a fixed seed, and the worked examples of the documents.</summary>
internal static class CorpusMaker
{
    /// <summary>The variable with the name of the release whose corpus is to be made, for example 1.</summary>
    public const string Variable = "BUFFEREDMESSAGES_MAKE_CORPUS";

    private const int Seed = 20;
    private const int ProgramTypes = 110;
    private const int RandomTypes = 86;
    private const int MessagesPerType = 3;
    private const int InvalidPerType = 8;
    private const string OldAlbum = "0 string Title\n1 u16 Year\n2 bool Live\n3 f64? Rating\n4 list(string) Genres\n5 list(message(Music.Track)) Tracks\n";
    private const string NewMembers = """
        6 list(i32) Sales
        7 i32 Discs
        8 datetime Bought
        9 guid? Id
        10 decimal Price
        11 struct(12;0:i32,4:f32[2]) Point
        12 dictionary(string,list(f64)) Charts
        13 message(Music.Album) Original
        14 reserved(binary)
        15 timespan Length

        """;

    private const int Attempts = 40;
    private const int DamagesPerType = 3000;
    private const int MaxMessageBytes = 640;
    private const int MaxInvalidBytes = 320;

    /// <summary>Makes the queues of a corpus in a folder that has none yet.</summary>
    public static void MakeQueues(string folder)
    {
        Directory.CreateDirectory(Path.Combine(folder, "queues"));
        foreach (var (kind, options) in QueueMaker.Kinds)
        {
            foreach (var (content, make) in new (string, Action<string, MessageQueueOptions>)[] { ("bytes", QueueMaker.MakeBytes), ("messages", QueueMaker.MakeMessages) })
            {
                var directory = Path.Combine(folder, "queues", $"{kind}-{content}");
                make(directory, options);
                File.WriteAllText(directory + ".jsonl", QueueLines.Of(directory));
            }
        }
    }

    /// <summary>Makes the messages of a corpus in a folder that does not exist yet.</summary>
    public static void Make(string folder)
    {
        Directory.CreateDirectory(Path.Combine(folder, "messages"));
        var rules = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var type in ByHand())
        {
            Corpus.Save(folder, type);
        }

        foreach (var (name, schema, messages) in Examples().Concat(Random()))
        {
            Corpus.Save(folder, new CorpusType(
                name,
                schema,
                [.. messages.Select(message => new CorpusMessage(message, Verdict.Of(message, schema, exact: true) == Verdict.Valid, ReaderJson.Of(message, schema)))],
                InvalidOf(messages.FirstOrDefault(static message => message.Length <= MaxInvalidBytes) ?? messages.MinBy(static message => message.Length)!, schema, rules)));
        }
    }

    private static IEnumerable<(string Name, MessageSchema Schema, IReadOnlyList<byte[]> Messages)> Examples() =>
    [
        Example("Album", WorkedExampleTests.Example, new Album { Title = "" }),
        Example("Purse", new Purse { Pockets = 2, First = new Note { Serial = "SERIAL-123", Value = 20 }, All = [new Coin { Cents = 50 }, null, new Note { Value = 5 }] }),
        OtherAlbum("AlbumOfOlderReader", OldAlbum),
        OtherAlbum("AlbumOfNewerReader", OldAlbum + NewMembers),
        Example("Money", (IMoney)new Note { Serial = "SERIAL-123", Value = 20 }, (IMoney)new Coin { Cents = 50 }),
    ];

    private static (string Name, MessageSchema Schema, IReadOnlyList<byte[]> Messages) Example<TSource>(string name, params TSource[] sources)
        where TSource : IBufferedMessageSource<TSource>
        => (name, MessageSchema.Parse(TSource.Schema.Text), [.. sources.Select(static source => source.ToMessageArray())]);

    // The messages of the example, read by programs that know fewer or more members.
    private static (string Name, MessageSchema Schema, IReadOnlyList<byte[]> Messages) OtherAlbum(string name, string members) =>
        (name, MessageSchema.Parse($"message Music.Album\n{members}message Music.Track\n0 string Title\n"), [WorkedExampleTests.Example.ToMessageArray()]);

    // Damage rarely finds these: messages that are nested too deep, presence bits that all are set, a null union as the message.
    private static IEnumerable<CorpusType> ByHand()
    {
        var chain = MessageSchema.Parse("message Chain\n0 message(Chain) Next\n");
        var list = MessageSchema.Parse("message Holder\n0 list(message(Item)) Items\nmessage Item\n0 i64 Id\n");
        var union = MessageSchema.Parse(Schema<IMoney>());
        yield return ByHand("Chain", chain, Chain(WireFormat.MaxDepth), Chain(WireFormat.MaxDepth + 1));
        yield return ByHand("Holder", list, Message(0x0000_0008_0000_0001, 1, 7), Message(0x0000_0008_0000_0001, 0x1_0001, 1, 7));
        yield return ByHand("NullUnion", union, ((IMoney)new Coin()).ToMessageArray(), Message(0));
    }

    private static CorpusType ByHand(string name, MessageSchema schema, byte[] valid, byte[] invalid) => new(
        name,
        schema,
        [new CorpusMessage(valid, IsExact: true, ReaderJson.Of(valid, schema))],
        [new InvalidMessage(invalid, Verdict.Of(invalid, schema, exact: false), Verdict.Of(invalid, schema, exact: true))]);

    // Each block is the slot of the next one.
    private static byte[] Chain(int depth) => Message([.. Enumerable.Repeat(0x0000_0008_0000_0001UL, depth - 1), 0]);

    // A message with a root block of one word.
    private static byte[] Message(params ulong[] words)
    {
        var message = new byte[(words.Length + 1) * sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(message, 0x1_0001 | ((ulong)message.Length << 32));
        for (var i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan((i + 1) * sizeof(ulong)), words[i]);
        }

        return message;
    }

    private static string Schema<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema.Text;

    private static IEnumerable<(string Name, MessageSchema Schema, IReadOnlyList<byte[]> Messages)> Random()
    {
        var small = GeneratedProgram.Load(ArbitraryProgram.Make(Seed, ProgramTypes)).GetExportedTypes()
            .Where(static type => type.IsSubclassOf(typeof(MessageCase)))
            .Select(static type => (MessageCase)Activator.CreateInstance(type)!)
            .Where(static one => !one.IsFromNewerWriter)
            .Select(static one => (one.Schema.Name, one.Schema, Messages: MessagesOf(one)))
            .Where(static one => one.Messages.Count == MessagesPerType)
            .ToList();
        return Enumerable.Range(0, RandomTypes).Select(i => small[i * small.Count / RandomTypes]).DistinctBy(static one => one.Name, StringComparer.Ordinal);
    }

    private static IReadOnlyList<byte[]> MessagesOf(MessageCase type) =>
        [.. Enumerable.Range(0, Attempts).Select(attempt => type.MakeMessage(new ArbitraryValues(Seed + attempt)))
            .Where(static message => message.Length <= MaxMessageBytes)
            .DistinctBy(Convert.ToHexString, StringComparer.Ordinal)
            .OrderByDescending(static message => message.Length)
            .Take(MessagesPerType)];

    // Rules that few others of the corpus break come first.
    private static List<InvalidMessage> InvalidOf(byte[] message, MessageSchema schema, Dictionary<string, int> rules)
    {
        var random = new Random(Seed);
        var found = Enumerable.Range(0, DamagesPerType)
            .Select(_ => DamagedBytes.Of(message, random))
            .Where(static bytes => bytes.Length <= MaxInvalidBytes)
            .Select(bytes => new InvalidMessage(bytes, Verdict.Of(bytes, schema, exact: false), Verdict.Of(bytes, schema, exact: true)))
            .Where(static one => one.Exact != Verdict.Valid)
            .DistinctBy(static one => (one.Plain.Rule, one.Exact.Rule))
            .OrderBy(one => rules.GetValueOrDefault(one.Exact.Rule))
            .Take(InvalidPerType)
            .ToList();
        foreach (var one in found)
        {
            rules[one.Exact.Rule] = rules.GetValueOrDefault(one.Exact.Rule) + 1;
        }

        return found;
    }
}

/// <summary>A test that runs only to make a corpus.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class MakeCorpusFactAttribute : FactAttribute
{
    public MakeCorpusFactAttribute() =>
        Skip = Environment.GetEnvironmentVariable(CorpusMaker.Variable) is null ? $"It makes the corpus of a release, if {CorpusMaker.Variable} has the release's name." : null;
}
