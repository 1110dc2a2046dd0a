using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public class PeerPageTests
{
    [Fact]
    public void Its_figures_are_those_of_the_committed_results() => MarkedBlocks.AssertFilled("docs/peers.md", static _ => PeerTable.Make(), nameof(PeerPageTests));

    [Fact]
    public void Each_result_states_the_version_of_its_library()
    {
        using var run = JsonDocument.Parse(Repository.Read($"benchmarks/results/{PeerTable.ResultFile}"));

        Assert.All(run.RootElement.GetProperty("results").EnumerateArray(), static result => Assert.Matches("^[0-9]", result.GetProperty("version").GetString()!));
    }
}
