using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Benchmarks;

/// <summary>The runner of benchmarks/Toolkit.Caching, so short that only its working is tested.</summary>
public sealed class CacheRunnerTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    public async Task A_file_without_figures_of_other_settings_gets_those_of_the_run(string content)
    {
        var file = _directory.PathOf("caching.json");
        await File.WriteAllTextAsync(file, content);
        using var runner = SampleProcess.StartDotnet(
            Repository.PathOf($"benchmarks/Toolkit.Caching/bin/{Repository.Configuration}/net10.0/Toolkit.Caching.dll"),
            "--quick", "--ours", "--bytes", "100", "--ratio", "0.5", "--seconds", "0.01", "--directory", _directory.Path, "--json", file);
        var result = await runner.WaitAsync();

        // The exit code is 1 if a value was not found.
        Assert.True(result.ExitCode is 0 or 1, result.Errors);

        var figures = JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement.GetProperty("results").EnumerateArray().ToList();
        Assert.NotEmpty(figures);
        Assert.All(figures, static figure => Assert.Equal(100, figure.GetProperty("value_bytes").GetInt32()));
    }
}
