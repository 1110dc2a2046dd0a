using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues, messages and caches of strangers: the tool shows them as the corpus says.</summary>
public class CorpusTests
{
    private static readonly string Corpus = Repository.PathOf("tests/Corpus/1");

    public static TheoryData<string> Queues => [.. Directory.EnumerateDirectories(Path.Combine(Corpus, "queues")).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Queues))]
    public async Task A_queue_of_strangers_is_shown_as_the_JSON_of_the_corpus(string queue)
    {
        using var folder = new TemporaryFolder();
        var path = folder.Copy(Path.Combine(Corpus, "queues", queue), queue);

        var run = await ToolRun.InProcessAsync("tail", path, "--json", "--from", "earliest");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(File.ReadAllText(Path.Combine(Corpus, "queues", $"{queue}.jsonl")), run.Output);
    }

    [Fact]
    public async Task Every_message_of_the_corpus_is_explained_as_its_JSON()
    {
        using var folder = new TemporaryFolder();
        var file = folder.PathOf("one.message");
        var messages = 0;
        foreach (var schema in Directory.EnumerateFiles(Path.Combine(Corpus, "messages"), "*.schema.txt"))
        {
            // One of each type: the rest differs in values only.
            var line = File.ReadLines(schema.Replace(".schema.txt", ".messages.tsv", StringComparison.Ordinal)).FirstOrDefault();
            if (line?.Split('\t') is [var hex, _, var json])
            {
                File.WriteAllBytes(file, Convert.FromHexString(hex));

                var run = await ToolRun.InProcessAsync("explain", file, "--schema", schema, "--json");

                Assert.Equal(0, run.Code);
                Assert.EndsWith(LocalTimes.Comparable($"\"message\":{json}}}\n"), LocalTimes.Comparable(run.Output), StringComparison.Ordinal);
                messages++;
            }
        }

        Assert.True(messages > 20, $"Only {messages} messages were compared.");
    }

    [Fact]
    public async Task Every_damaged_message_of_the_corpus_ends_with_1_and_its_rule()
    {
        using var folder = new TemporaryFolder();
        var file = folder.PathOf("one.message");
        var messages = 0;
        foreach (var line in File.ReadLines(Path.Combine(Corpus, "messages", "Album.invalid.tsv")))
        {
            var parts = line.Split('\t');
            var schema = Path.Combine(Corpus, "messages", "Album.schema.txt");
            File.WriteAllBytes(file, Convert.FromHexString(parts[0]));

            var run = await ToolRun.InProcessAsync("explain", file, "--schema", schema);
            var exact = await ToolRun.InProcessAsync("explain", file, "--schema", schema, "--exact");

            // A message that only an exact verification refuses has an empty rule first.
            Assert.Equal((parts[1].Length == 0 ? 0 : 1, 1), (run.Code, exact.Code));
            Assert.Contains(parts[1], run.Output, StringComparison.Ordinal);
            Assert.Contains(parts[4], exact.Output, StringComparison.Ordinal);
            messages++;
        }

        Assert.True(messages > 5, $"Only {messages} messages were compared.");
    }

    [Fact]
    public async Task The_cache_of_the_corpus_has_its_entries_and_is_sound()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Copy(Path.Combine(Corpus, "caches", "texts"), "texts");
        var before = FolderContent.Of(path);

        var list = await ToolRun.InProcessAsync("cache", "ls", path, "--values", "--json");
        var verify = await ToolRun.InProcessAsync("cache", "verify", path);

        Assert.Equal((0, 0), (list.Code, verify.Code));
        Assert.Contains("sound", verify.Output, StringComparison.Ordinal);
        Assert.Equal(before, FolderContent.Of(path));
        var expected = File.ReadLines(Path.Combine(Corpus, "caches", "texts.tsv")).Select(static line => line.Split('\t')).Where(static parts => parts[1] != "-")
            .Select(static parts => (parts[0], parts[1])).OrderBy(static entry => entry.Item1, StringComparer.Ordinal);
        var found = list.Lines.Select(static line => System.Text.Json.JsonDocument.Parse(line).RootElement)
            .Select(static entry => (entry.GetProperty("key").GetString()!, Convert.ToHexString(entry.GetProperty("value").GetBytesFromBase64()))).OrderBy(static entry => entry.Item1, StringComparer.Ordinal);
        Assert.Equal(expected, found);
    }
}
