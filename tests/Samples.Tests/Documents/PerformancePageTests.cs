using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class PerformancePageTests
{
    [Theory]
    [InlineData("docs/performance.md")]
    [InlineData("docs/performance-queues.md")]
    public void Its_figures_are_those_of_the_committed_results(string page) => MarkedBlocks.AssertFilled(page, TableOf, nameof(PerformancePageTests));

    private static string TableOf(string file) =>
        file == SessionTable.ResultFile ? SessionTable.Make()
        : FigureTable.Knows(file) ? FigureTable.MakeOf(file)
        : BenchmarkTable.MakeOf(file);
}
