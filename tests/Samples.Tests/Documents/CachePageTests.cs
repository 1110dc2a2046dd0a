using System.Globalization;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public sealed class CachePageTests : IDisposable
{
    private readonly TemporaryDirectory _results = new();

    public void Dispose() => _results.Dispose();

    [Fact]
    public void Its_figures_are_those_of_the_committed_results() =>
        MarkedBlocks.AssertFilled("docs/performance-caches.md", static file => file == HitRateTable.ResultFile ? HitRateTable.Make() : CacheTable.Make(), nameof(CachePageTests));

    [Fact]
    public void Hit_rates_are_within_a_point_of_the_best_policy_but_in_one_cell_in_the_committed_results()
    {
        using var run = JsonDocument.Parse(Repository.Read($"benchmarks/results/{HitRateTable.ResultFile}"));
        var cells = run.RootElement.GetProperty("results").EnumerateArray()
            .GroupBy(static rate => (Trace: rate.GetProperty("trace").GetString(), Budget: rate.GetProperty("budget_percent").GetInt32()))
            .ToList();

        Assert.Equal(28, cells.Count);
        Assert.All(cells.Where(static cell => cell.Key is not ("working set, scans", 20)), static cell =>
        {
            var peers = cell.Where(static rate => !rate.GetProperty("policy").GetString()!.StartsWith("BufferedMessages", StringComparison.Ordinal));
            var ours = cell.Single(static rate => rate.GetProperty("policy").GetString() == "BufferedMessages");
            var best = peers.Max(static rate => rate.GetProperty("hit_percent").GetDouble());
            Assert.InRange(ours.GetProperty("hit_percent").GetDouble(), best - 1.01, 100);
        });
    }

    [Fact]
    public void Hits_allocated_nothing_in_the_committed_results()
    {
        using var run = JsonDocument.Parse(Repository.Read($"benchmarks/results/{CacheTable.ResultFile}"));

        var hits = run.RootElement.GetProperty("results").EnumerateArray()
            .Where(result => result.GetProperty("library").GetString() == "BufferedMessages" && result.GetProperty("operation").GetString() == "read")
            .Select(result => result.GetProperty("allocated_bytes").GetDouble())
            .ToList();

        Assert.NotEmpty(hits);
        Assert.All(hits, hit => Assert.InRange(hit, 0, 0.1));
    }

    [Fact]
    public void The_page_for_users_says_how_much_longer_a_scan_takes_than_reopening_in_the_committed_results()
    {
        using var run = JsonDocument.Parse(Repository.Read($"benchmarks/results/{CacheTable.ResultFile}"));
        List<double> TimesOf(string operation) =>
        [
            .. run.RootElement.GetProperty("results").EnumerateArray()
                .Where(result => result.GetProperty("library").GetString() == "BufferedMessages" && result.GetProperty("operation").GetString() == operation)
                .Select(static result => result.GetProperty("p50_ns").GetDouble()),
        ];

        List<double> ratios = [.. TimesOf("rebuild").Zip(TimesOf("reopen"), static (scan, reopening) => scan / reopening)];
        Assert.Contains(
            string.Create(CultureInfo.InvariantCulture, $"would scan all segments, which takes {ratios.Min():0} to {ratios.Max():0} times as long as reopening"),
            Repository.Read("docs/caching.md"),
            StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_shows_every_library_that_was_measured_and_names_the_losses()
    {
        File.WriteAllText(_results.PathOf(CacheTable.ResultFile), """
            {
              "machine": "a machine", "commit": "abc1234", "keys": 1000,
              "results": [
                { "operation": "read", "library": "BufferedMessages", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 1, "operations_per_second": 3000000, "p50_ns": 300, "p99_ns": 600, "allocated_bytes": 0 },
                { "operation": "read", "library": "FASTER 2.6.5", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 1, "operations_per_second": 4000000, "p50_ns": 400, "p99_ns": 900, "allocated_bytes": 24 },
                { "operation": "read", "library": "bare table", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 1, "operations_per_second": 20000000, "p50_ns": 300, "p99_ns": 600, "allocated_bytes": 0 },
                { "operation": "read", "library": "BufferedMessages", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 2, "operations_per_second": 2000000, "p50_ns": 300, "p99_ns": 600, "allocated_bytes": 0 },
                { "operation": "read", "library": "FASTER 2.6.5", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 2, "operations_per_second": 4000000, "p50_ns": 400, "p99_ns": 900, "allocated_bytes": 24 },
                { "operation": "read", "library": "MemoryCache", "value_bytes": 100, "data_per_memory": 0.5, "memory_bytes": 2097152, "distribution": "uniform", "threads": 2, "operations_per_second": 1000000, "p50_ns": 400, "p99_ns": 900, "allocated_bytes": 24 },
                { "operation": "reopen", "library": "BufferedMessages", "value_bytes": 100, "data_per_memory": 0.5, "distribution": "", "threads": 1, "operations_per_second": 20, "p50_ns": 50000000, "p99_ns": 50000000, "allocated_bytes": 0 }
              ]
            }
            """);

        var lines = CacheTable.Make(_results.Path).Split('\n');

        Assert.Equal("| 100 B, 2 MiB of memory | BufferedMessages | FASTER 2.6.5 | MemoryCache | bare table |", lines[2]);
        Assert.Equal("| read, uniform, 1 thread | 3,000; 0.3; 0.6 | 4,000; 0.4; 0.9 |  | 20,000; 0.3; 0.6 |", lines[4]);
        Assert.Equal("| BufferedMessages, reopen, 100 B | 50 ms |", lines[9]);
        Assert.Equal("Managed bytes per operation, at most: BufferedMessages 0, FASTER 2.6.5 24, MemoryCache 24, bare table 0.", lines[11]);
        Assert.Equal("Where it is slower: read, uniform: 2 of 2 rows, down to 0.50 of FASTER 2.6.5.", lines[13]);
    }
}
