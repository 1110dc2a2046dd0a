using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public sealed class SessionTableTests : IDisposable
{
    private readonly TemporaryDirectory _results = new();

    public void Dispose() => _results.Dispose();

    [Fact]
    public void Without_results_it_says_so() => Assert.Equal("No results are committed yet.\n", SessionTable.Make(_results.Path));

    [Fact]
    public void A_scenario_has_a_table_with_the_columns_it_needs_and_names_its_losses()
    {
        File.WriteAllText(_results.PathOf(SessionTable.ResultFile), """
            [
              { "scenario": "typed", "mode": "bounded", "producers": 1, "consumers": 1, "library": "BufferedMessages", "transport": "queue", "fields": "one", "messages_per_second": 1000, "p50_ns": null },
              { "scenario": "typed", "mode": "bounded", "producers": 1, "consumers": 1, "library": "Protobuf", "transport": "pipe", "fields": "one", "messages_per_second": 2500 },
              { "scenario": "rolls", "mode": "durable", "pages": "fresh", "producers": 1, "consumers": 1, "p50_ns": 25, "p999_ns": 2500, "max_ns": 3500000, "floor_p999_ns": 700 }
            ]
            """);

        var lines = SessionTable.Make(_results.Path).Split('\n');

        Assert.Equal("| typed | messages a second |", lines[1]);
        Assert.Equal("| BufferedMessages, queue, one field, bounded | 1,000 |", lines[3]);
        Assert.Equal("Where it loses: Protobuf, pipe, one field, bounded: 2.5 times as many as ours over the queue.", lines[6]);
        Assert.Equal("| rolls | p50 | p99.9 | floor's p99.9 | largest |", lines[8]);
        Assert.Equal("| durable, fresh pages | 25 ns | 2.5 us | 700 ns | 3.5 ms |", lines[10]);
    }
}
