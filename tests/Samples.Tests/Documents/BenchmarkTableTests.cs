using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

public sealed class BenchmarkTableTests : IDisposable
{
    private readonly TemporaryDirectory _results = new();

    public void Dispose() => _results.Dispose();

    [Fact]
    public void Without_results_it_says_so() => Assert.Equal("No results are committed yet.\n", BenchmarkTable.Make(_results.Path));

    [Fact]
    public void It_shows_every_library_and_names_the_losses()
    {
        File.WriteAllText(_results.PathOf("messages.json"), """
            {
              "command": "a command", "commit": "abc1234", "machine": "a machine",
              "results": [
                { "scenario": "Container", "operation": "Write", "library": "Protobuf", "median_ns": 1000.4, "allocated_bytes": 0 },
                { "scenario": "Container", "operation": "Write", "library": "BufferedMessages", "median_ns": 250, "allocated_bytes": 0 },
                { "scenario": "Container", "operation": "SizeAndWrite12", "library": "BufferedMessages", "median_ns": 150000, "allocated_bytes": 0 },
                { "scenario": "Lookup", "operation": "Few", "library": "BufferedMessages", "median_ns": 15, "allocated_bytes": 0 },
                { "scenario": "Lookup", "operation": "Few", "library": "Dictionary", "median_ns": 10, "allocated_bytes": 0 }
              ],
              "sizes": { "Container": { "BufferedMessages": 3000, "Protobuf": 1500 } }
            }
            """);

        var lines = BenchmarkTable.MakeOf(_results.Path, "messages.json").Split('\n');

        Assert.Equal("| | BufferedMessages | Protobuf |", lines[2]);
        Assert.Equal("| Container, write | 250 ns, 0 B | 1,000 ns, 0 B |", lines[4]);
        Assert.Equal("| Container, size and write 12 | 150.0 us, 0 B |  |", lines[5]);
        Assert.Equal("| Container, the message | 3,000 B | 1,500 B |", lines[6]);
        Assert.Equal("| | BufferedMessages | Dictionary |", lines[8]);
        Assert.Equal("| Lookup, few | 15.0 ns, 0 B | 10.0 ns, 0 B |", lines[10]);
        Assert.Equal("Where it loses: size of Container, 2.0 times Protobuf; Lookup, few, 1.5 times Dictionary.", lines[12]);
    }

    [Fact]
    public void It_says_the_cost_of_rules_beside_a_cold_run_over_as_many_types()
    {
        static string ResultOf(string scenario, string operation, int types, int milliseconds) =>
            $$"""{ "scenario": "{{scenario}}", "operation": "{{operation}}", "library": "BufferedMessages", "parameters": { "Types": {{types}} }, "median_ns": {{milliseconds}}000000, "allocated_bytes": 0 }""";

        File.WriteAllText(_results.PathOf("generator.json"), $$"""
            {
              "command": "a command", "commit": "abc1234", "machine": "a machine",
              "results": [
                {{ResultOf("Analyzers", "Project", 100, 530)}}, {{ResultOf("Analyzers", "ProjectWithoutRules", 100, 500)}},
                {{ResultOf("Analyzers", "File", 100, 9)}}, {{ResultOf("Analyzers", "FileWithoutRules", 100, 10)}},
                {{ResultOf("Generator", "Cold", 10, 8)}}, {{ResultOf("Generator", "Cold", 100, 40)}}
              ]
            }
            """);

        var table = BenchmarkTable.MakeOf(_results.Path, "generator.json");

        Assert.Contains("\nThe rules alone, project, 100 types: 30.0 ms, 0.75 of the generator's cold run.\n", table, StringComparison.Ordinal);
        Assert.Contains("\nThe rules alone, file, 100 types: within the noise.\n", table, StringComparison.Ordinal);
    }

    [Fact]
    public void README_has_three_messages_written_and_read()
    {
        static string ResultOf(string scenario, string operation) =>
            $$"""{ "scenario": "{{scenario}}", "operation": "{{operation}}", "library": "BufferedMessages", "median_ns": 100, "allocated_bytes": 0 }""";

        File.WriteAllText(_results.PathOf("messages.json"), $$"""
            {
              "command": "a command", "commit": "abc1234", "machine": "a machine",
              "results": [{{ResultOf("Order", "Write")}}, {{ResultOf("Order", "Verify")}}, {{ResultOf("Container", "Write")}}, {{ResultOf("Catalogue", "Read")}}]
            }
            """);

        Assert.Equal(["| Order, write | 100 ns, 0 B |", "| Catalogue, read | 100 ns, 0 B |"], BenchmarkTable.Make(_results.Path).Split('\n').Where(static line => line.EndsWith(" B |", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("S", 8, "S", 6, "| | BufferedMessages |")]
    [InlineData("S", 8, "S", 7, "| read | BufferedMessages |", "| write | BufferedMessages |")]
    [InlineData("S", 15, "T", 2, "| S | BufferedMessages |", "| T | BufferedMessages |")]
    public void A_table_of_more_than_14_rows_is_divided_by_operation_or_scenario(string read, int reads, string written, int writes, params string[] heads)
    {
        static string ResultOf(string scenario, string operation, int bytes) => FormattableString.Invariant(
            $$"""{ "scenario": "{{scenario}}", "operation": "{{operation}}", "library": "BufferedMessages", "parameters": { "Bytes": {{bytes}} }, "median_ns": 1, "allocated_bytes": 0 }""");

        var results = Enumerable.Range(0, reads).Select(bytes => ResultOf(read, "Read", bytes)).Concat(Enumerable.Range(0, writes).Select(bytes => ResultOf(written, "Write", bytes)));
        File.WriteAllText(_results.PathOf("some.json"), $$"""{ "command": "a command", "commit": "abc1234", "machine": "a machine", "results": [{{string.Join(",", results)}}] }""");

        Assert.Equal(heads, BenchmarkTable.MakeOf(_results.Path, "some.json").Split('\n').Where(static line => line.EndsWith("BufferedMessages |", StringComparison.Ordinal)));
    }

    [Fact]
    public void It_shows_streams_by_their_parameters_and_nowhere_else()
    {
        File.WriteAllText(_results.PathOf("streams.json"), """
            {
              "command": "a command", "commit": "abc1234", "machine": "a machine",
              "results": [
                { "scenario": "Stream", "operation": "Write", "library": "MemoryStream", "parameters": { "Bytes": 4096 }, "median_ns": 400, "allocated_bytes": 4184 },
                { "scenario": "Stream", "operation": "Write", "library": "BufferedMessages", "parameters": { "Bytes": 4096 }, "median_ns": 100, "allocated_bytes": 112 },
                { "scenario": "Stream", "operation": "Write", "library": "MemoryStream", "parameters": { "Bytes": 64 }, "median_ns": 40, "allocated_bytes": 344 },
                { "scenario": "Stream", "operation": "Write", "library": "BufferedMessages", "parameters": { "Bytes": 64 }, "median_ns": 50, "allocated_bytes": 112 }
              ]
            }
            """);

        var lines = BenchmarkTable.MakeOf(_results.Path, "streams.json").Split('\n');

        Assert.Equal("| Stream, write, 4,096 bytes | 100 ns, 112 B | 400 ns, 4,184 B |", lines[4]);
        Assert.Equal("| Stream, write, 64 bytes | 50 ns, 112 B | 40 ns, 344 B |", lines[5]);
        Assert.Equal("Where it loses: Stream, write, 64 bytes, 1.3 times MemoryStream.", lines[7]);
        Assert.Equal("No results are committed yet.\n", BenchmarkTable.Make(_results.Path));
    }

    [Fact]
    public void It_shows_parameters_that_are_names()
    {
        File.WriteAllText(_results.PathOf("strings.json"), """
            {
              "command": "a command", "commit": "abc1234", "machine": "a machine",
              "results": [{ "scenario": "String", "operation": "Write", "library": "BufferedMessages", "parameters": { "Script": "Cjk", "Characters": 100 }, "median_ns": 400, "allocated_bytes": 0 }]
            }
            """);

        Assert.Equal("| String, write, cjk, 100 characters | 400 ns, 0 B |", BenchmarkTable.MakeOf(_results.Path, "strings.json").Split('\n')[4]);
    }

    [Fact]
    public void A_mark_that_names_a_file_is_given_the_table_of_that_file()
    {
        const string Document = "a\n<!-- benchmarks: one.json -->\nold\n<!-- /benchmarks -->\nb\n<!-- benchmarks -->\n<!-- /benchmarks -->\n";

        Assert.Equal(
            "a\n<!-- benchmarks: one.json -->\n[one.json]\n<!-- /benchmarks -->\nb\n<!-- benchmarks -->\n[]\n<!-- /benchmarks -->\n",
            MarkedBlocks.Fill(Document, _ => "", file => $"[{file}]\n"));
    }
}
