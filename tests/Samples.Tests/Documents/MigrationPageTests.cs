using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>The pages for users of other packages name every public member of theirs. The packages are no dependency of the tests: their members are lists, with their version.</summary>
public partial class MigrationPageTests
{
    private const string Streams = "docs/from-recyclable-memory-stream.md";
    private const string Caches = "docs/from-faster-kv-cache.md";

    private static readonly Dictionary<string, string> Lists = new(StringComparer.Ordinal)
    {
        [Streams] = "RecyclableMemoryStream.txt",
        [Caches] = "FasterKvCache.txt",
    };

    public static TheoryData<string, string> Members { get; } = Pair(static page => LinesFor(page).Where(line => !line.StartsWith('#')));

    [Theory]
    [InlineData(Streams)]
    [InlineData(Caches)]
    public void The_page_says_which_version_it_is_about(string page)
    {
        var name = LinesFor(page)[0].TrimStart('#', ' ').Split(' ');
        Assert.Contains($"`{name[0]}` {name[1]} ", Repository.Read(page), StringComparison.Ordinal);
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

    [Fact]
    public void The_code_of_the_page_about_caches_is_that_of_its_tests() => MarkedBlocks.AssertFilled(Caches, static _ => "", nameof(MigrationPageTests));

    private static TheoryData<string, string> Pair(Func<string, IEnumerable<string>> members)
    {
        var pairs = new TheoryData<string, string>();
        foreach (var page in Lists.Keys)
        {
            foreach (var member in members(page))
            {
                pairs.Add(page, member);
            }
        }

        return pairs;
    }

    private static string[] LinesFor(string page) => File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Documents", Lists[page]));

    // What a row is about: the names in code of its first cell; what they belong to: those and the head of the first column.
    private static IEnumerable<(HashSet<string> Types, HashSet<string> Members)> Rows(string page)
    {
        var head = "";
        var previous = "";
        foreach (var line in Repository.Read(page).Split('\n'))
        {
            if (line.StartsWith("|---", StringComparison.Ordinal))
            {
                head = FirstCell(previous).Trim('`');
            }
            else if (line.StartsWith('|'))
            {
                var members = Code().Matches(FirstCell(line)).SelectMany(code => Name().Matches(code.Value)).Select(name => name.Value).ToHashSet(StringComparer.Ordinal);
                yield return ([.. members, head], members);
            }

            previous = line;
        }
    }

    private static string FirstCell(string row) => row.Split('|') is [_, var cell, ..] ? cell.Trim() : "";

    [GeneratedRegex("`[^`]*`", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Code();

    [GeneratedRegex("[A-Za-z0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Name();
}
