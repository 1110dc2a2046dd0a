using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class PerformancePageTests
{
    [Fact]
    public void Its_figures_are_those_of_the_committed_results() =>
        MarkedBlocks.AssertFilled("docs/performance.md", TableOf, nameof(PerformancePageTests));

    private static string TableOf(string file) =>
        file == SessionTable.ResultFile ? SessionTable.Make()
        : FigureTable.Knows(file) ? FigureTable.MakeOf(file)
        : BenchmarkTable.MakeOf(file);
}
