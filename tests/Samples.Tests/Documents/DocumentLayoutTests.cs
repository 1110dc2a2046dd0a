using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Documents for a reader with a question: short tables, and tests that exist.</summary>
public partial class DocumentLayoutTests
{
    private const int MaxRows = 14;

    // Lists that are looked up, not read.
    private static readonly string[] Lists = ["docs/diagnostics/README.md", "docs/format/queues.md", "docs/from-faster-kv-cache.md", "docs/supported-types.md"];

    [Fact]
    public void A_table_that_people_read_has_fewer_than_15_rows()
    {
        var tooLong = from path in Repository.Files("docs", "*.md").Select(static path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/')).Append("README.md").Except(Lists)
                      from rows in TableRows(Repository.Read(path))
                      where rows > MaxRows
                      select $"{path}: a table of {rows} rows. Divide it under headings.";

        Assert.Empty(tooLong);
    }

    [Fact]
    public void A_page_begins_with_a_sentence_about_its_readers() =>
        Assert.All(Directory.GetFiles(Repository.PathOf("docs"), "*.md"), static path =>
        {
            var parts = File.ReadAllText(path).ReplaceLineEndings("\n").Split("\n\n");
            Assert.StartsWith("# ", parts[0], StringComparison.Ordinal);
            Assert.StartsWith("For ", parts[1], StringComparison.Ordinal);
        });

    [Theory]
    [InlineData("docs/crash-safety-tests.md")]
    [InlineData("docs/bridges.md")]
    public void The_tests_that_a_page_names_exist(string page)
    {
        var names = TestName().Matches(Repository.Read(page)).Select(static match => (Class: match.Groups["class"].Value, Method: match.Groups["method"].Value)).ToList();
        var sources = Repository.Files("tests", "*Tests*.cs").GroupBy(static path => Path.GetFileName(path).Split('.')[0], StringComparer.Ordinal).ToDictionary(static group => group.Key, static group => string.Concat(group.Select(File.ReadAllText)), StringComparer.Ordinal);

        Assert.True(names.Count > 30);
        Assert.All(names, name => Assert.Contains($" {name.Method}(", sources[name.Class], StringComparison.Ordinal));
    }

    [Fact]
    public void Every_thread_of_the_libraries_is_on_the_page_of_operations()
    {
        var page = Repository.Read("docs/operations.md");
        var names = (from path in Repository.Files("src", "*.cs")
                     where !Path.GetRelativePath(Repository.PathOf("src"), path).StartsWith("Tool", StringComparison.Ordinal)
                     from Match match in ThreadName().Matches(File.ReadAllText(path))
                     select match.Groups["name"].Value).ToList();

        Assert.Contains("MessageQueue waits", names);
        Assert.Contains("MessageCache segments", names);
        Assert.All(names, name => Assert.Contains($"`{name}`", page, StringComparison.Ordinal));
    }

    private static IEnumerable<int> TableRows(string document)
    {
        var rows = 0;
        foreach (var line in document.Split('\n').Append(""))
        {
            if (line.StartsWith('|'))
            {
                rows++;
                continue;
            }

            // Without the head and the line below it.
            yield return Math.Max(rows - 2, 0);
            rows = 0;
        }
    }

    [GeneratedRegex(@"`(?<class>[A-Za-z]+Tests)\.(?<method>[A-Z][A-Za-z0-9_]+)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex TestName();

    [GeneratedRegex(@"(IsBackground = true, Name = |BackgroundThread\.TryStart\([^""]+)""(?<name>[^""]+)""", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex ThreadName();
}
