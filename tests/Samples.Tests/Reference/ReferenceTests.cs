using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Reference;

public class ReferenceTests
{
    private const string FolderVariable = "BUFFEREDMESSAGES_REFERENCE";

    [Fact]
    public void Each_namespace_has_a_page_with_its_types_and_members()
    {
        var pages = ReferencePages.Make();
        if (Environment.GetEnvironmentVariable(FolderVariable) is { Length: > 0 } folder)
        {
            Directory.CreateDirectory(Repository.PathOf(folder));
            foreach (var (name, page) in pages)
            {
                File.WriteAllText(Path.Combine(Repository.PathOf(folder), $"{name}.md"), page);
            }
        }

        Assert.Superset(new HashSet<string>(["BufferedMessages", "BufferedMessages.Bridges", "BufferedMessages.Caching", "BufferedMessages.Hosting"], StringComparer.Ordinal), pages.Keys.ToHashSet(StringComparer.Ordinal));
        Assert.Contains("\n## class MessageQueue\n", pages["BufferedMessages"], StringComparison.Ordinal);
        Assert.Contains("MessageQueue Open(string path", pages["BufferedMessages"], StringComparison.Ordinal);
    }

    [Fact]
    public void Each_type_says_what_it_is() =>
        Assert.All(ReferencePages.Make().Values.SelectMany(static page => page.Split("\n## ").Skip(1)), static type => Assert.NotEqual("", type.Split('\n')[2]));
}
