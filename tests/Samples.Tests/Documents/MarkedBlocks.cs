using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Fills the marked places of a document from the files they are about.</summary>
internal static partial class MarkedBlocks
{
    private const string UpdateVariable = "BUFFEREDMESSAGES_UPDATE_DOCUMENTS";

    /// <summary>Asserts that a document is as it should be, or makes it so when the update variable is 1.</summary>
    /// <param name="path">The document in the repository.</param>
    /// <param name="table">Makes a benchmark table; it is given the file that the mark names, or nothing.</param>
    /// <param name="tests">The test class that does it.</param>
    public static void AssertFilled(string path, Func<string, string> table, string tests)
    {
        var actual = Repository.Read(path);

        // A mark that is not written as it must be would be passed over.
        var marks = Mark().Count(actual);
        Assert.True(marks > 0 && marks == Block().Count(actual) + Table().Count(actual), $"{path} has {marks} marks, and not as many places that are filled.");
        var expected = Fill(actual, Repository.Read, table);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(Repository.PathOf(path), expected);
            return;
        }

        Assert.True(
            expected == actual,
            $"{path} differs from the samples, the generated files or benchmarks/results. Refresh it: {UpdateVariable}=1 dotnet test tests/Samples.Tests --filter {tests}");
    }

    /// <summary>The document as it should be.</summary>
    /// <param name="document">The document as it is.</param>
    /// <param name="read">Reads a file of the repository.</param>
    /// <param name="table">Makes a benchmark table; it is given the file that the mark names, or nothing.</param>
    public static string Fill(string document, Func<string, string> read, Func<string, string> table)
    {
        document = Block().Replace(document, match =>
        {
            var file = read(match.Groups["path"].Value);
            var name = match.Groups["name"].Value;
            var code = match.Groups["kind"].Value == "sample" ? Region(file, name) : Members(file, name);
            return $"{match.Groups["marker"].Value}\n```csharp\n{code}```\n";
        });
        return Table().Replace(document, match => match.Groups["begin"].Value + table(match.Groups["file"].Value) + match.Groups["end"].Value);
    }

    // What stands between // <name> and // </name>, moved to the left margin.
    private static string Region(string file, string name)
    {
        var lines = file.Split('\n').SkipWhile(line => line.Trim() != $"// <{name}>").Skip(1).TakeWhile(line => line.Trim() != $"// </{name}>").ToList();
        return MovedToMargin(lines);
    }

    // From the documentation of the member that begins so to the last property of the view.
    private static string Members(string file, string firstMember)
    {
        var lines = file.Split('\n');
        var first = Array.FindIndex(lines, line => line.TrimStart().StartsWith(firstMember, StringComparison.Ordinal)) - 1;
        var last = Array.FindLastIndex(lines, line => line.Contains(" => _block.", StringComparison.Ordinal));
        return MovedToMargin(lines[first..(last + 1)]);
    }

    private static string MovedToMargin(IReadOnlyList<string> lines)
    {
        Assert.NotEmpty(lines);
        var margin = lines.Where(line => line.Length != 0).Min(line => line.Length - line.TrimStart().Length);
        return string.Concat(lines.Select(line => (line.Length == 0 ? "" : line[margin..]) + "\n"));
    }

    [GeneratedRegex("<!-- (sample|generated|benchmarks)\\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Mark();

    [GeneratedRegex("(?<marker><!-- (?<kind>sample|generated): (?<path>[^#]+)#(?<name>.+?) -->)\n```csharp\n(?<code>.*?)```\n", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Block();

    [GeneratedRegex("(?<begin><!-- benchmarks(: (?<file>[a-z]+\\.json))? -->\n).*?(?<end><!-- /benchmarks -->)", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Table();
}
