using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Charts;

public class ChartTests
{
    private const string UpdateVariable = "BUFFEREDMESSAGES_UPDATE_DOCUMENTS";
    private const string Folder = "docs/charts";

    public static TheoryData<string> Names => [.. ResultCharts.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_charts_show_the_result_files(string name)
    {
        var chart = ResultCharts.All[name]();
        foreach (var colours in ChartColours.All)
        {
            var path = $"{Folder}/{name}-{colours.Name}.svg";
            var expected = chart.Draw(colours);
            if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
            {
                Directory.CreateDirectory(Repository.PathOf(Folder));
                File.WriteAllText(Repository.PathOf(path), expected);
            }

            Assert.True(
                expected == Repository.Read(path),
                $"{path} differs from benchmarks/results. Refresh it: {UpdateVariable}=1 dotnet test tests/Samples.Tests --filter {nameof(ChartTests)}");
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_group_compares_this_project_with_another(string name) =>
        Assert.All(ResultCharts.All[name]().Groups, group =>
        {
            Assert.Single(group.Bars, static bar => bar.IsOurs);
            Assert.Contains(group.Bars, static bar => !bar.IsOurs);
        });

    [Fact]
    public void Text_that_looks_like_markup_is_escaped_and_the_longest_bar_has_the_full_length()
    {
        var chart = new BarChart("<a> & \"b\"", "c", [new("d", [new("e", 2, "2"), new("BufferedMessages", 1, "1")])]);

        var svg = XDocument.Parse(chart.Draw(ChartColours.All[0])).Root!;

        Assert.Equal("<a> & \"b\"", svg.Attribute("aria-label")!.Value);
        Assert.Equal(["430", "215"], svg.Elements().Where(static element => element.Attribute("rx")?.Value == "2").Select(static bar => bar.Attribute("width")!.Value));
    }

    [Fact]
    public void No_other_charts_are_there() =>
        Assert.Equal(
            ResultCharts.All.Keys.SelectMany(static name => ChartColours.All.Select(colours => $"{name}-{colours.Name}.svg")).Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(Repository.PathOf(Folder)).Select(Path.GetFileName).Order(StringComparer.Ordinal));
}
