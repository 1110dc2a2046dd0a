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

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("bounded", "--single-producer")]
    [InlineData("bounded", "--producers", "2", "--consumers", "2")]
    [InlineData("bounded", "--producers", "2", "--consumers", "2", "--group")]
    [InlineData("durable", "--segment", "65536")]
    public async Task Throughput_is_measured_with_its_floor(string mode, params string[] arguments)
    {
        var result = await RunAsync(["throughput", "--mode", mode, "--messages", "2000", .. arguments]);

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
    public async Task A_session_with_an_unknown_option_says_so()
    {
        using var runner = Start(["latency", "--color", "red"]);
        var result = await runner.WaitAsync();

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'--color' is not an option.", result.Errors, StringComparison.Ordinal);
    }

    private async Task<JsonElement> RunAsync(string[] arguments)
    {
        var file = _directory.PathOf("result.json");
        using var runner = Start([.. arguments, "--rounds", "1", "--warmup", "0", "--directory", _directory.Path, "--json", file]);
        (await runner.WaitAsync()).Succeeded();

        var result = Assert.Single(JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement.EnumerateArray());
        Assert.Equal(arguments[0], result.GetProperty("scenario").GetString());
        Assert.All(Keys, key => Assert.True(result.TryGetProperty(key, out _), $"{key} is missing"));
        Assert.Equal(64, result.GetProperty("payload_bytes").GetInt32());
        return result;
    }

    private static SampleProcess Start(string[] arguments) =>
        SampleProcess.StartDotnet([Repository.PathOf($"benchmarks/Toolkit.Sessions/bin/{Repository.Configuration}/net10.0/Toolkit.Sessions.dll"), .. arguments]);
}
