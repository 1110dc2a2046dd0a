using System.Globalization;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class ReadmeTests
{
    private const int MaxWords = 900;
    private const int MaxRows = 12;

    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/generated-code.md")]
    [InlineData("docs/how-it-works.md")]
    public void Code_excerpts_and_figures_are_those_of_the_files_they_come_from(string page) =>
        MarkedBlocks.AssertFilled(page, _ => BenchmarkTable.Make(), nameof(ReadmeTests));

    [Fact]
    public void It_is_short_and_has_one_short_table()
    {
        var readme = Repository.Read("README.md");

        Assert.InRange(readme.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length, 1, MaxWords);
        var table = Assert.Single(readme.Split("\n\n"), static part => part.Contains("\n|---|", StringComparison.Ordinal));
        Assert.InRange(table.TrimEnd().Split('\n').Length - 2, 1, MaxRows);
    }

    [Fact]
    public void Its_first_screen_has_the_promise_the_installation_an_example_and_a_chart()
    {
        var start = Repository.Read("README.md").Split("\n## ")[0].Split("\n\n");

        Assert.Single(start[1].Split(". ", StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal("```\ndotnet add package BufferedMessages\n```", start[2]);
        Assert.Contains("docs/charts/queues-light.svg", start[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Its_example_is_that_of_the_package_and_has_at_most_twenty_lines()
    {
        var example = ExampleOf("README.md");

        Assert.Equal(ExampleOf("src/Runtime/README.md"), example);
        Assert.InRange(example.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length, 10, 20);
    }

    [Fact]
    public void The_ratios_that_it_names_are_those_of_the_sessions()
    {
        using var json = JsonDocument.Parse(Repository.Read("benchmarks/results/sessions.json"));
        string RatioOf(string scenario, string mode, string? pages, string format, int producers = 1) => json.RootElement.EnumerateArray()
            .First(session => session.GetProperty("scenario").GetString() == scenario
                && session.GetProperty("mode").GetString() == mode
                && session.GetProperty("producers").GetInt32() == producers
                && (pages is null || session.GetProperty("pages").GetString() == pages)
                && !(session.TryGetProperty("single_producer", out var single) && single.GetBoolean()))
            .GetProperty("floor_ratio").GetDouble().ToString(format, CultureInfo.InvariantCulture);

        var readme = Repository.Read("README.md");
        Assert.Contains(
            $"a bounded queue reaches {RatioOf("throughput", "bounded", null, "0.00")} times the rate of a bare ring, with four producers and a group of four {RatioOf("throughput", "bounded", null, "0.00", producers: 4)} times; a durable one on fresh pages reaches {RatioOf("throughput", "durable", "fresh", "0.0")} times",
            readme,
            StringComparison.Ordinal);
        Assert.Contains($"A round trip takes {RatioOf("latency", "bounded", null, "0.0")} to {RatioOf("waits", "bounded", null, "0.0")} times", readme, StringComparison.Ordinal);
    }

    [Fact]
    public void It_names_the_commands_that_install_the_tool_and_run_the_sample_and_the_tests()
    {
        var readme = Repository.Read("README.md");
        var lines = readme.Split('\n');

        Assert.Contains("`dotnet tool install --global BufferedMessages.Tool`", readme, StringComparison.Ordinal);
        Assert.Contains("dotnet run --project samples/01-QuickStart", lines);
        Assert.Contains("dotnet build Toolkit.sln", lines);
        Assert.Contains("dotnet test Toolkit.sln --no-build", lines);
    }

    [Fact]
    public void It_names_every_sample()
    {
        var readme = Repository.Read("README.md");

        Assert.All(
            Directory.EnumerateFiles(Repository.PathOf("samples"), "*.csproj", SearchOption.AllDirectories),
            project => Assert.Contains($"samples/{Path.GetFileName(Path.GetDirectoryName(project))}/README.md", readme, StringComparison.Ordinal));
    }

    private static string ExampleOf(string page) => Repository.Read(page).Split("```csharp\n")[1].Split("```")[0];
}
