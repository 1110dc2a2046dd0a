namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Each release reads what all releases before it wrote, in all languages.</summary>
public class CorpusTests
{
    private const int MinTypes = 85;
    private const int MinRules = 41;

    [MakeCorpusFact]
    public void The_corpus_of_a_release_is_made()
    {
        var folder = Path.Combine(ReaderFolders.Corpora, Environment.GetEnvironmentVariable(CorpusMaker.Variable)!);
        Assert.False(Directory.Exists(Path.Combine(folder, "messages")), $"{folder} is there: corpora of releases never change. Delete it if the release is not published yet.");
        CorpusMaker.Make(folder);
    }

    [MakeCorpusFact]
    public void The_queues_of_a_release_are_made()
    {
        var folder = Path.Combine(ReaderFolders.Corpora, Environment.GetEnvironmentVariable(CorpusMaker.Variable)!);
        Assert.False(Directory.Exists(Path.Combine(folder, "queues")), $"{folder} has queues: corpora of releases never change. Delete them if the release is not published yet.");
        CorpusMaker.MakeQueues(folder);
    }

    [Fact]
    public void Queues_of_all_releases_are_read_as_then()
    {
        var count = 0;
        foreach (var queue in Corpus.All.SelectMany(static corpus => corpus.Queues))
        {
            Assert.Equal(queue.Lines, QueueLines.Of(queue.Directory));
            count++;
        }

        Assert.True(count >= QueueMaker.Kinds.Count);
    }

    [Fact]
    public void Messages_of_all_releases_are_valid_and_read_as_then()
    {
        foreach (var corpus in Corpus.All)
        {
            Assert.True(corpus.Types.Count >= MinTypes);
            foreach (var type in corpus.Types)
            {
                Assert.NotEmpty(type.Messages);
                foreach (var message in type.Messages)
                {
                    Assert.Equal(Verdict.Valid, Verdict.Of(message.Bytes, type.Schema, exact: false));
                    Assert.Equal(message.IsExact, Verdict.Of(message.Bytes, type.Schema, exact: true) == Verdict.Valid);
                    ReaderJson.AssertSame(message.Json, ReaderJson.Of(message.Bytes, type.Schema), $"{corpus.Release}, {type.Name}");
                }
            }
        }
    }

    [Fact]
    public void Invalid_messages_of_all_releases_are_judged_as_then()
    {
        var rules = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (type, invalid) in AllInvalid())
        {
            Assert.Equal(invalid.Plain, Verdict.Of(invalid.Bytes, type.Schema, exact: false));
            Assert.Equal(invalid.Exact, Verdict.Of(invalid.Bytes, type.Schema, exact: true));
            rules.Add(invalid.Exact.Rule);
        }

        Assert.True(rules.Count >= MinRules, $"Only {rules.Count} rules are broken.");
    }

    [PythonFact]
    public void Python_reads_the_corpora_of_all_releases() => AssertReads(PythonReader.Read, isWritten: true);

    [CompilerFact]
    public void C_reads_the_corpora_of_all_releases() => AssertReads(CReader.Read, isWritten: false);

    // The source, as users run it.
    [PythonFact]
    public void Python_reads_the_queues_of_all_releases() => AssertReadsQueues(static directory => ExternalProgram.Run(PythonReader.Program, PythonReader.Source, "cat", directory));

    [CompilerFact]
    public void C_reads_the_queues_of_all_releases() => AssertReadsQueues(static directory => ExternalProgram.Run(CReader.Example, "cat", directory));

    private static IEnumerable<(CorpusType Type, InvalidMessage Invalid)> AllInvalid() =>
        from corpus in Corpus.All from type in corpus.Types from invalid in type.Invalid select (type, invalid);

    private static void AssertReads(Func<ReaderFile, IReadOnlyList<ReaderLine>> read, bool isWritten)
    {
        using var file = Corpus.ToFile();
        var lines = read(file);
        ReaderLine.AssertReads(file, lines, isWritten);
        var invalid = lines.Where(static line => line.Json is null).Select(static line => (line.Plain, line.Exact));
        Assert.Equal(AllInvalid().Select(static one => (one.Invalid.Plain, one.Invalid.Exact)), invalid);
    }

    private static void AssertReadsQueues(Func<string, string> cat)
    {
        foreach (var queue in Corpus.All.SelectMany(static corpus => corpus.Queues))
        {
            Assert.Equal(queue.Lines, cat(queue.Directory));
        }
    }
}
