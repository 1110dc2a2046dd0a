using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>The pages for users of other packages name every public member of theirs. The packages are no dependency of the tests: their members are lists, with their version.</summary>
public partial class MigrationPageTests
{
    private const string Streams = "docs/from-recyclable-memory-stream.md";
    private const string Caches = "docs/from-faster-kv-cache.md";
    private const string Messages = "docs/from-native-buffering.md";
    private const string Files = "docs/from-mapped-file-queues.md";
    private const string Memory = "docs/from-interprocess.md";

    private static readonly (string Page, string List)[] Lists =
    [
        (Streams, "RecyclableMemoryStream.txt"),
        (Caches, "FasterKvCache.txt"),
        (Messages, "NativeBuffering.txt"),
        (Files, "MappedFileQueues.txt"),
        (Files, "MappedFileQueues.Stream.txt"),
        (Memory, "Interprocess.txt"),
    ];

    public static TheoryData<string, string> Packages { get; } = Data(Lists);

    public static TheoryData<string, string> Members { get; } =
        Data(Lists.SelectMany(static pair => LinesOf(pair.List).Where(static line => !line.StartsWith('#')).Select(member => (pair.Page, member))).Distinct());

    [Theory]
    [MemberData(nameof(Packages))]
    public void The_page_says_which_version_it_is_about(string page, string list)
    {
        var name = LinesOf(list)[0].TrimStart('#', ' ').Split(' ');
        Assert.Matches($@"`{Regex.Escape(name[0])}` {Regex.Escape(name[1])}[ ,]", Repository.Read(page));
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_row_is_about_every_member(string page, string member)
    {
        var dot = member.LastIndexOf('.');
        var (type, name) = (member[..dot], member[(dot + 1)..]);
        Assert.True(
            Rows(page).Any(row => row.Types.Contains(type) && row.Members.Contains(name)),
            $"No row of {page} has {member} in its first cell, in a table or row of {type}.");
    }

    [Theory]
    [InlineData(Messages)]
    [InlineData(Files)]
    [InlineData(Memory)]
    public void The_code_of_the_page_is_that_of_its_tests(string page) => MarkedBlocks.AssertFilled(page, static _ => "", nameof(MigrationPageTests));

    [Theory]
    [InlineData(Messages)]
    [InlineData(Files)]
    [InlineData(Memory)]
    public void The_second_column_of_an_example_is_from_the_code_below_it(string page)
    {
        var examples = Section().Matches(Repository.Read(page)).Select(section => section.Value).ToList();

        Assert.NotEmpty(examples);
        Assert.All(examples, static example =>
        {
            var code = string.Concat(MarkedCode().Matches(example).Select(block => block.Value));
            var cells = example.Split('\n').Where(line => line.StartsWith('|')).Skip(2).Select(line => Cell(line, 2));
            Assert.All(cells.SelectMany(cell => Code().Matches(cell)), piece => Assert.Contains(piece.Value.Trim('`'), code, StringComparison.Ordinal));
        });
    }

    private static TheoryData<string, string> Data(IEnumerable<(string, string)> pairs)
    {
        var data = new TheoryData<string, string>();
        foreach (var (first, second) in pairs)
        {
            data.Add(first, second);
        }

        return data;
    }

    private static string[] LinesOf(string list) => File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Documents", list));

    // What a row is about: the names in code of its first cell; what they belong to: those and the names in code that head the first column.
    private static IEnumerable<(HashSet<string> Types, HashSet<string> Members)> Rows(string page)
    {
        string[] heads = [];
        var previous = "";
        foreach (var line in Repository.Read(page).Split('\n'))
        {
            if (line.StartsWith("|---", StringComparison.Ordinal))
            {
                heads = [.. Cell(previous, 1).Split(',', StringSplitOptions.TrimEntries).Select(head => head.Trim('`'))];
            }
            else if (line.StartsWith('|'))
            {
                var members = Code().Matches(Cell(line, 1)).SelectMany(code => Name().Matches(code.Value)).Select(name => name.Value).ToHashSet(StringComparer.Ordinal);
                yield return ([.. members, .. heads], members);
            }

            previous = line;
        }
    }

    private static string Cell(string row, int number) => row.Split('|') is var cells && cells.Length > number + 1 ? cells[number].Trim() : "";

    [GeneratedRegex("`[^`]*`", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Code();

    [GeneratedRegex("[A-Za-z0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Name();

    [GeneratedRegex("^## The example.*?(?=^## )", RegexOptions.Singleline | RegexOptions.Multiline, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Section();

    [GeneratedRegex("```csharp\n.*?```", RegexOptions.Singleline, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex MarkedCode();
}
