using System.Globalization;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class PerformancePageTests
{
    [Theory]
    [InlineData("docs/performance.md")]
    [InlineData("docs/performance-queues.md")]
    public void Its_figures_are_those_of_the_committed_results(string page) => MarkedBlocks.AssertFilled(page, TableOf, nameof(PerformancePageTests));

    [Fact]
    public void The_page_of_generated_code_names_the_times_of_the_generator()
    {
        using var run = JsonDocument.Parse(Repository.Read("benchmarks/results/generator.json"));
        double MillisecondsOf(string operation, int types) => run.RootElement.GetProperty("results").EnumerateArray()
            .Single(result => result.GetProperty("operation").GetString() == operation && result.GetProperty("parameters").GetProperty("Types").GetInt32() == types)
            .GetProperty("median_ns").GetDouble() / 1_000_000;

        double[] edits = [MillisecondsOf("UnrelatedEdit", 1_000), MillisecondsOf("BodyEdit", 1_000), MillisecondsOf("MemberEdit", 1_000)];
        Assert.Contains(
            string.Create(
                CultureInfo.InvariantCulture,
                $"takes {MillisecondsOf("UnrelatedEdit", 1):0.0} ms after an unrelated edit with one message type. With 1,000 types the first run takes {MillisecondsOf("Cold", 1_000) / 1_000:0.0} s, and a run after an edit {edits.Min():0} to {edits.Max():0} ms."),
            Repository.Read("docs/generated-code.md"),
            StringComparison.Ordinal);
    }

    private static string TableOf(string file) =>
        file == SessionTable.ResultFile ? SessionTable.Make()
        : FigureTable.Knows(file) ? FigureTable.MakeOf(file)
        : BenchmarkTable.MakeOf(file);
}
