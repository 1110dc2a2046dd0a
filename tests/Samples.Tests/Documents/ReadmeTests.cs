using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class ReadmeTests
{
    [Fact]
    public void Code_excerpts_and_figures_are_those_of_the_files_they_come_from() =>
        MarkedBlocks.AssertFilled("README.md", _ => BenchmarkTable.Make(), nameof(ReadmeTests));

    [Fact]
    public void It_names_the_two_commands_that_do_everything()
    {
        var lines = Repository.Read("README.md").Split('\n');

        Assert.Contains("dotnet run --project samples/01-QuickStart", lines);
        Assert.Contains("dotnet test Toolkit.sln", lines);
    }

    [Fact]
    public void It_names_every_sample()
    {
        var readme = Repository.Read("README.md");

        Assert.All(
            Directory.EnumerateFiles(Repository.PathOf("samples"), "*.csproj", SearchOption.AllDirectories),
            project => Assert.Contains($"samples/{Path.GetFileName(Path.GetDirectoryName(project))}/README.md", readme, StringComparison.Ordinal));
    }
}
