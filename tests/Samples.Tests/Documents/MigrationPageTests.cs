using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>The page for users of RecyclableMemoryStream names every public member. The package is no dependency of the tests: its members are a list, with their version.</summary>
public partial class MigrationPageTests
{
    private const string List = "RecyclableMemoryStream.txt";

    private static readonly string Page = Repository.Read("docs/from-recyclable-memory-stream.md");
    private static readonly string[] Lines = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Documents", List));

    public static TheoryData<string> Members { get; } = [.. Lines.Where(line => !line.StartsWith('#'))];

    [Fact]
    public void The_page_says_which_version_it_is_about()
    {
        var name = Lines[0].TrimStart('#', ' ').Split(' ');
        Assert.Contains($"`{name[0]}` {name[1]} ", Page, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_row_is_about_every_member(string member)
    {
        var names = member.Split('.');
        Assert.True(
            Rows().Any(row => row.Types.Contains(names[0]) && row.Members.Contains(names[1])),
            $"No row of the migration page has {member} in its first cell, in a table or row of {names[0]}.");
    }

    // What a row is about: the names in code of its first cell; what they belong to: those and the head of the first column.
    private static IEnumerable<(HashSet<string> Types, HashSet<string> Members)> Rows()
    {
        var head = "";
        var previous = "";
        foreach (var line in Page.Split('\n'))
        {
            if (line.StartsWith("|---", StringComparison.Ordinal))
            {
                head = FirstCell(previous);
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
