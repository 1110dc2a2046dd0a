using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public partial class LinkTests
{
    [Fact]
    public void Links_between_documents_lead_somewhere()
    {
        var broken = from document in Repository.Files("", "*.md")
                     from link in Link().Matches(File.ReadAllText(document)).Select(match => match.Groups["target"].Value)
                     where !link.Contains("://", StringComparison.Ordinal) && !link.StartsWith('#')
                     let target = Path.Combine(Path.GetDirectoryName(document)!, link.Split('#')[0])
                     where !File.Exists(target) && !Directory.Exists(target)
                     select $"{Path.GetRelativePath(Repository.Root, document)}: {link}";

        Assert.Equal([], broken);
    }

    [Fact]
    public void Links_to_a_heading_lead_to_one()
    {
        var broken = from document in Repository.Files("", "*.md")
                     from link in Link().Matches(File.ReadAllText(document)).Select(match => match.Groups["target"].Value)
                     where !link.Contains("://", StringComparison.Ordinal) && (link.StartsWith('#') || link.Contains(".md#", StringComparison.Ordinal))
                     let parts = link.Split('#')
                     let target = parts[0].Length == 0 ? document : Path.Combine(Path.GetDirectoryName(document)!, parts[0])
                     where !AnchorsOf(target).Contains(parts[1])
                     select $"{Path.GetRelativePath(Repository.Root, document)}: {link}";

        Assert.Equal([], broken);
    }

    [Fact]
    public void Files_and_folders_that_documents_name_are_there()
    {
        var missing = from document in Repository.Files("", "*.md")
                      from path in PathInCode().Matches(File.ReadAllText(document)).Select(match => match.Groups["path"].Value)
                      where !Path.Exists(Repository.PathOf(path))
                      select $"{Path.GetRelativePath(Repository.Root, document)}: {path}";

        Assert.Equal([], missing);
    }

    [Fact]
    public void The_index_names_every_page_of_docs()
    {
        var index = Repository.Read("docs/README.md");

        Assert.All(
            Directory.EnumerateFiles(Repository.PathOf("docs"), "*.md").Select(path => Path.GetFileName(path)).Where(name => name != "README.md"),
            page => Assert.Contains($"({page})", index, StringComparison.Ordinal));
    }

    // As GitHub makes them: lower case, without punctuation, spaces as dashes.
    private static HashSet<string> AnchorsOf(string path) =>
        [.. from line in File.ReadAllLines(path)
            where line.StartsWith('#')
            select string.Concat(line.TrimStart('#', ' ').ToLowerInvariant().Where(static letter => char.IsLetterOrDigit(letter) || letter is ' ' or '-' or '_')).Replace(' ', '-')];

    [GeneratedRegex(@"\]\((?<target>[^)\s]+)\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Link();

    [GeneratedRegex("`(?<path>(benchmarks|docs|samples|src|templates|tests)/[A-Za-z0-9_./-]+)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex PathInCode();
}
