using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>A message type of a corpus; tests/Corpus/README.md describes the files.</summary>
internal sealed record CorpusType(string Name, MessageSchema Schema, IReadOnlyList<CorpusMessage> Messages, IReadOnlyList<InvalidMessage> Invalid);

/// <summary>A valid message, and its JSON as it was when the corpus was made.</summary>
internal sealed record CorpusMessage(byte[] Bytes, bool IsExact, string Json);

/// <summary>A message that breaks a rule, at least that of an exact verification.</summary>
internal sealed record InvalidMessage(byte[] Bytes, Verdict Plain, Verdict Exact);

/// <summary>A queue directory, and the lines that the command <c>cat</c> of the readers prints of it.</summary>
internal sealed record CorpusQueue(string Name, string Directory, string Lines);

/// <summary>The files of a release that later ones must read.</summary>
internal sealed class Corpus
{
    private const string SchemaSuffix = ".schema.txt";
    private const string Exact = "exact";
    private const string LinesSuffix = ".jsonl";

    private Corpus(string folder)
    {
        Release = Path.GetFileName(folder);
        Types = [.. FilesIn(folder, "messages", SchemaSuffix).Select(static path => TypeOf(path[..^SchemaSuffix.Length]))];
        Queues = [.. FilesIn(folder, "queues", LinesSuffix).Select(static path => new CorpusQueue(Path.GetFileName(path)[..^LinesSuffix.Length], path[..^LinesSuffix.Length], File.ReadAllText(path)))];
    }

    /// <summary>The corpora of all releases, of which there is one at least.</summary>
    public static IReadOnlyList<Corpus> All { get; } =
        [.. Directory.GetDirectories(ReaderFolders.Corpora).Order(StringComparer.Ordinal).Select(static folder => new Corpus(folder))];

    public string Release { get; }

    public IReadOnlyList<CorpusType> Types { get; }

    public IReadOnlyList<CorpusQueue> Queues { get; }

    /// <summary>All messages as a file for the readers of other languages.</summary>
    public static ReaderFile ToFile()
    {
        var file = new ReaderFile();
        foreach (var type in All.SelectMany(static corpus => corpus.Types))
        {
            file.Begin(type.Schema);
            foreach (var message in type.Messages)
            {
                file.Add(message.Bytes, isRead: true);
            }

            foreach (var invalid in type.Invalid)
            {
                file.Add(invalid.Bytes, isRead: false);
            }
        }

        return file;
    }

    /// <summary>Writes the files of a type.</summary>
    public static void Save(string folder, CorpusType type)
    {
        var path = Path.Combine(folder, "messages", type.Name);
        File.WriteAllText(path + SchemaSuffix, type.Schema.Text);
        File.WriteAllText(path + ".messages.tsv", Lines(type.Messages, static one => [Convert.ToHexStringLower(one.Bytes), one.IsExact ? Exact : "valid", one.Json]));
        File.WriteAllText(path + ".invalid.tsv", Lines(type.Invalid, static one => [Convert.ToHexStringLower(one.Bytes), .. Columns(one.Plain), .. Columns(one.Exact)]));
    }

    private static string Lines<T>(IEnumerable<T> rows, Func<T, string[]> columns) => string.Concat(rows.Select(row => string.Join('\t', columns(row)) + "\n"));

    private static string[] Columns(Verdict verdict) => [verdict.Rule, verdict.Position.ToString(CultureInfo.InvariantCulture), verdict.Path];

    private static IEnumerable<string> FilesIn(string folder, string part, string suffix) =>
        Directory.Exists(Path.Combine(folder, part)) ? Directory.GetFiles(Path.Combine(folder, part), "*" + suffix).Order(StringComparer.Ordinal) : [];

    private static CorpusType TypeOf(string path) => new(
        Path.GetFileName(path),
        MessageSchema.Parse(File.ReadAllText(path + SchemaSuffix)),
        [.. Rows(path + ".messages.tsv").Select(static row => new CorpusMessage(Convert.FromHexString(row[0]), row[1] == Exact, row[2]))],
        [.. Rows(path + ".invalid.tsv").Select(static row => new InvalidMessage(Convert.FromHexString(row[0]), VerdictOf(row.AsSpan(1)), VerdictOf(row.AsSpan(4))))]);

    private static IEnumerable<string[]> Rows(string path) => File.ReadAllLines(path).Select(static line => line.Split('\t'));

    private static Verdict VerdictOf(ReadOnlySpan<string> columns) => new(columns[0], int.Parse(columns[1], CultureInfo.InvariantCulture), columns[2]);
}
