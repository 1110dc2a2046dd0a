using System.Diagnostics;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Sessions;

/// <summary>The runner of benchmarks/Toolkit.Sessions, with so few messages that only its working is tested.</summary>
public sealed class SessionRunnerTests : IDisposable
{
    private static readonly string[] Keys =
    [
        "scenario", "mode", "payload_bytes", "producers", "consumers", "messages_per_second",
        "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns", "allocated_bytes_per_message",
    ];

    // A bounded queue is taken around once before what is measured.
    private static readonly string[] SmallSegments = ["--segment", "65536"];

    private static readonly string Runner = Repository.PathOf($"benchmarks/Toolkit.Sessions/bin/{Repository.Configuration}/net10.0/Toolkit.Sessions.dll");

    private static readonly string ColdRunner = Repository.PathOf($"benchmarks/Toolkit.Cold/bin/{Repository.Configuration}/net10.0/Toolkit.Cold.dll");

    private const int MostRuns = 5;

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("bounded", "--single-producer")]
    [InlineData("bounded", "--producers", "2", "--consumers", "2")]
    [InlineData("bounded", "--producers", "2", "--consumers", "2", "--group")]
    [InlineData("durable")]
    [InlineData("bounded", "--stamps", "--batch", "8")]
    public async Task Throughput_is_measured_with_its_floor(string mode, params string[] arguments)
    {
        var result = await RunAsync(["throughput", "--mode", mode, "--messages", "2000", .. SmallSegments, .. arguments]);

        Assert.Equal(mode, result.GetProperty("mode").GetString());
        Assert.True(result.GetProperty("messages_per_second").GetDouble() > 0);
        Assert.True(result.GetProperty("floor_messages_per_second").GetDouble() > 0);
        Assert.True(result.GetProperty("floor_ratio").GetDouble() > 0);
    }

    [Theory]
    [InlineData("latency")]
    [InlineData("wakeup")]
    public async Task Times_are_measured_in_quantiles(string session)
    {
        var result = await RunAsync([session, "--messages", "20"]);

        long[] quantiles = [.. Keys.Where(key => key.EndsWith("_ns", StringComparison.Ordinal)).Select(key => result.GetProperty(key).GetInt64())];
        Assert.Equal(quantiles.Order(), quantiles);
        Assert.True(quantiles[0] > 0);
    }

    [Fact]
    public async Task Bytes_of_round_trips_that_are_not_counted_are_not_counted_either()
    {
        string[] arguments = ["latency", "--wait", "async", "--messages", "200"];

        // Only a bounded queue is taken around once before the round trips that count: here ten times as many.
        var bytes = BytesOf(await RunAsync([.. arguments, "--mode", "durable"]));
        Assert.True(bytes > 0);

        // Other threads of the processes allocate too, at any time: the one that makes the instruments, for example. The fewest bytes of some runs are those of the round trips.
        var fewest = double.MaxValue;
        for (var run = 0; run < MostRuns && fewest > 3 * bytes; run++)
        {
            fewest = Math.Min(fewest, BytesOf(await RunAsync(arguments)));
        }

        Assert.InRange(fewest, 0, 3 * bytes);

        static double BytesOf(JsonElement result) => result.GetProperty("allocated_bytes_per_message").GetDouble();
    }

    [Theory]
    [InlineData("open-loop", "open-loop", "p50_ns", "--messages", "200", "--rate", "10000")]
    [InlineData("open-loop", "open-loop", "p50_ns", "--messages", "20", "--wait", "spin")]
    [InlineData("rolls", "rolls", "p50_ns", "--messages", "2000", "--segment", "65536")]
    [InlineData("catch-up", "catch-up", "messages_per_second", "--messages", "2000", "--segment", "65536")]
    [InlineData("recovery", "recovery", "p50_ns", "--messages", "1")]
    [InlineData("throughput", "throughput", "messages_per_second", "--messages", "10", "--mode", "durable", "--segment", "65536", "--flush", "every-message")]
    public async Task A_session_is_measured_with_its_floor(string session, string scenario, string figure, params string[] arguments)
    {
        var result = Assert.Single(await RunAllAsync([session, .. arguments]));

        Assert.Equal(scenario, result.GetProperty("scenario").GetString());
        Assert.True(result.GetProperty(figure).GetDouble() > 0);
        Assert.True(result.GetProperty("floor_ratio").GetDouble() > 0);
    }

    [Theory]
    [InlineData("payloads", "payload_bytes", "16", "64", "256", "1024", "4096", "65536", "1048576")]
    [InlineData("shapes", "producers", "1", "4", "1", "4")]
    [InlineData("flushes", "flush", "", "interval", "every-message")]
    [InlineData("waits", "wait", "block", "spin", "async")]
    [InlineData("segments", "scenario", "open", "publish after")]
    [InlineData("publish", "scenario", "publish", "publish: size and write", "publish: ready bytes")]
    [InlineData("field", "fields", "one", "one", "one", "one", "one")]
    public async Task A_session_has_a_result_for_each_of_its_rows(string session, string key, params string[] rows)
    {
        var results = await RunAllAsync([session, "--messages", "20", .. session == "shapes" ? SmallSegments : []]);

        Assert.Equal(rows, results.Select(result => result.GetProperty(key).ToString()));
        Assert.All(results, result => Assert.True(result.GetProperty("floor_ratio").GetDouble() > 0));
    }

    [Theory]
    [InlineData("publish", "--messages", "2000")]
    [InlineData("page", "--seconds", "0.05")]
    public async Task A_session_of_one_thread_is_measured_in_a_small_ring(string session, params string[] arguments) =>
        Assert.Equal(3, (await RunAllAsync([session, "--slots", "2", "--segment", "65536", .. arguments])).Length);

    [Fact]
    public async Task Orders_go_in_every_format_over_every_transport()
    {
        var results = await RunAllAsync(["typed", "--messages", "20"]);

        var ways = results.Select(result => $"{result.GetProperty("library")}, {result.GetProperty("transport")}, {result.GetProperty("fields")}").ToList();
        Assert.Equal(ways.Distinct(), ways);
        Assert.Equal(OperatingSystem.IsWindows() ? 12 : 18, ways.Count);
        Assert.All(results, result => Assert.True(result.GetProperty("messages_per_second").GetDouble() > 0));
    }

    [Theory]
    [InlineData("orders", 5, "of the slower side")]
    [InlineData("small", 4, "of the ring")]
    [InlineData("durable", 4, "of bounded")]
    [InlineData("trips", 2, "p99 of the floor's")]
    [InlineData("wakeup", 2, "p50 of the floor's")]
    [InlineData("first", 2, "of steady")]
    public async Task A_steady_case_has_a_result_for_each_of_its_ways(string name, int ways, string ratio)
    {
        var results = await RunAllAsync(["steady", "--case", name, "--shape", "single", "--messages", "100", "--segment", "65536"]);

        var ours = results.Where(result => !result.GetProperty("name").GetString()!.Contains("Protobuf", StringComparison.Ordinal)).ToList();
        Assert.Equal(ways, ours.Count);
        Assert.All(results, result => Assert.Equal(name, result.GetProperty("case").GetString()));
        Assert.Contains(results, result => result.GetProperty("ratios").TryGetProperty(ratio, out var value) && value.GetDouble() > 0);
    }

    [Fact]
    public async Task A_file_names_the_commit_that_the_program_was_built_from()
    {
        var file = _directory.PathOf("steady.json");
        using var runner = SampleProcess.StartDotnetIn(
            _directory.Path, Runner, "steady", "--case", "trips", "--shape", "single", "--messages", "10", "--rounds", "1", "--warmup", "0", "--json", file);
        (await runner.WaitAsync()).Succeeded();

        var built = FileVersionInfo.GetVersionInfo(Runner).ProductVersion!.Split('+') is [_, { Length: > 8 } commit] ? commit[..8] : "unknown";
        Assert.StartsWith(built, JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement.GetProperty("commit").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bytes_of_a_reader_alone_are_counted()
    {
        var results = await RunAllAsync(["steady", "--case", "orders", "--shape", "single", "--messages", "100"]);

        // Parsing makes an object of each trade.
        var alone = Assert.Single(results, static result => result.GetProperty("name").GetString() == "single, Protobuf, reader of one field alone");
        Assert.True(alone.GetProperty("allocated_bytes_per_message").GetDouble() > 0);
    }

    [Fact]
    public async Task The_first_message_of_a_program_is_measured_beside_an_empty_one()
    {
        var file = _directory.PathOf("cold.json");
        using var runner = SampleProcess.StartDotnet([ColdRunner, "--rounds", "1", "--json", file]);
        (await runner.WaitAsync()).Succeeded();

        var results = JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement.GetProperty("results").EnumerateArray().ToList();
        Assert.Equal(5, results.Count(result => result.TryGetProperty("above_empty_milliseconds", out _)));
        Assert.Contains(results, result => result.TryGetProperty("ratios", out var ratios) && ratios.GetProperty("first 200 ms of it").GetDouble() > 0);
    }

    [Theory]
    [InlineData("Unknown option '--color'.", "latency", "--color", "red")]
    [InlineData("--wait is one of block, spin, async, not 'sleep'.", "latency", "--wait", "sleep")]
    [InlineData("--payload needs a whole number from 8 on, not '7'.", "throughput", "--payload", "7")]
    [InlineData("A queue of --single-producer has one producer.", "throughput", "--single-producer", "--producers", "2")]
    [InlineData("The members of a group commit each message.", "throughput", "--group", "--per-commit", "8")]
    [InlineData("The session 'latency' does not measure --consumers.", "latency", "--consumers", "2")]
    [InlineData("The session 'typed' does not measure --group.", "typed", "--group")]
    [InlineData("The session 'shapes' does not measure --single-producer.", "shapes", "--single-producer")]
    [InlineData("The session 'steady' does not measure --mode.", "steady", "--mode", "durable")]
    [InlineData("Only a bounded queue has slots.", "throughput", "--mode", "durable", "--slots", "4")]
    [InlineData("'singel' is not a shape. There are single, many, group.", "steady", "--case", "durable", "--shape", "singel")]
    [InlineData("The case 'durable' has no shape 'group'.", "steady", "--case", "durable", "--shape", "group")]
    [InlineData("The directory of --json '/nowhere/latency.json' does not exist.", "latency", "--json", "/nowhere/latency.json")]
    public async Task A_session_that_cannot_be_measured_is_refused_with_the_reason(string reason, params string[] arguments)
    {
        using var runner = Start(arguments);
        var result = await runner.WaitAsync();

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(reason, result.Errors, StringComparison.Ordinal);
    }

    [LinuxFact]
    public Task A_session_ends_with_a_sentence_if_the_process_that_waits_dies() => RequireSentenceAfterDeathOf(0, "latency-answerer");

    [LinuxFact]
    public Task A_session_ends_with_a_sentence_if_the_process_that_measures_dies() => RequireSentenceAfterDeathOf(1, "latency-caller");

    [LinuxFact]
    public async Task A_run_of_new_programs_ends_if_the_one_that_reads_a_stream_dies()
    {
        // Two programs run at the same time only in a stream of some seconds, which may be over before the test sees it.
        SampleResult? result = null;
        for (var run = 0; run < MostRuns && result is null; run++)
        {
            using var runner = SampleProcess.StartDotnet([ColdRunner, "--rounds", "1"]);
            result = await runner.TryKillStartedAsync(2, 0) ? await runner.WaitAsync() : null;
        }

        Assert.NotNull(result);
        Assert.NotEqual(0, result.ExitCode);
        Assert.Contains("A program of the run has failed", result.Errors, StringComparison.Ordinal);
    }

    // More messages than a test waits for.
    private async Task RequireSentenceAfterDeathOf(int peer, string role)
    {
        using var runner = Start(["latency", "--messages", "100000000", "--warmup", "0", "--directory", _directory.Path]);
        Assert.True(await runner.TryKillStartedAsync(2, peer));
        var result = await runner.WaitAsync();

        Assert.Equal(1, result.ExitCode);
        Assert.Equal($"The process '{role}' of the session ended early, with exit code 137. If it printed an error, that is above.\n", result.Errors);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_directory.Path));
    }

    private async Task<JsonElement> RunAsync(string[] arguments)
    {
        var result = Assert.Single(await RunAllAsync(arguments));
        Assert.Equal(arguments[0], result.GetProperty("scenario").GetString());
        Assert.All(Keys, key => Assert.True(result.TryGetProperty(key, out _), $"{key} is missing"));
        Assert.Equal(64, result.GetProperty("payload_bytes").GetInt32());
        return result;
    }

    private async Task<JsonElement[]> RunAllAsync(string[] arguments)
    {
        var file = _directory.PathOf("result.json");
        using var runner = Start([.. arguments, "--rounds", "1", "--warmup", "0", "--directory", _directory.Path, "--json", file]);
        (await runner.WaitAsync()).Succeeded();

        var root = JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement;
        return [.. (root.ValueKind == JsonValueKind.Array ? root : root.GetProperty("results")).EnumerateArray()];
    }

    private static SampleProcess Start(string[] arguments) =>
        SampleProcess.StartDotnet([Runner, .. arguments]);
}
