using System.Globalization;
using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Cache;

public sealed partial class CacheSampleTests : IDisposable
{
    private const int Files = 400;
    private const int FileBytes = 10_000;
    private const double MemoryMegabytes = 1;
    private const double SegmentMegabytes = 64.0 / 1024;

    private readonly TemporaryDirectory _tree = new();
    private readonly TemporaryDirectory _cache = new();

    public CacheSampleTests()
    {
        for (var i = 0; i < Files; i++)
        {
            _tree.Write($"{i % 7}/file{i}.txt", 0);
            File.WriteAllText(_tree.PathOf($"{i % 7}/file{i}.txt"), new string((char)('a' + (i % 26)), i) + new string('\n', FileBytes - i));
        }
    }

    public void Dispose()
    {
        _tree.Dispose();
        _cache.Dispose();
    }

    [Fact]
    public async Task The_last_line_has_hits_within_the_budgets_and_no_allocation()
    {
        var result = await RunAsync("--lookups", "20000");

        Assert.StartsWith($"{Files} files in ", result.Lines[0], StringComparison.Ordinal);
        Assert.EndsWith("4000000 bytes, 3.8 times the memory budget", result.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith("0 of these files survived", result.Lines[1], StringComparison.Ordinal);
        var figures = Figures().Match(result.LastLine);
        Assert.True(figures.Success, result.Output);
        Assert.Equal(20_000, Number(figures, "lookups"));
        Assert.InRange(Number(figures, "hits"), 50, 99.9);
        Assert.InRange(Number(figures, "memory"), 0.1, MemoryMegabytes + SegmentMegabytes + 0.05);
        Assert.InRange(Number(figures, "disk"), 1, 2 + SegmentMegabytes);
        Assert.InRange(Number(figures, "allocated"), 0, 0.1);
        Assert.EndsWith("0 files had changed, 0 could not be read, 0 were not as they were set", result.Lines[^2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_second_start_finds_what_the_first_one_set_and_notices_what_was_changed()
    {
        await RunAsync("--lookups", "5000", "--disk", "16");
        File.WriteAllText(_tree.PathOf("0/file0.txt"), "changed");
        foreach (var path in Directory.GetFiles(_tree.PathOf("1")))
        {
            File.SetLastWriteTimeUtc(path, new DateTime(2001, 2, 3, 0, 0, 0, DateTimeKind.Utc));
        }

        var result = await RunAsync("--lookups", "5000", "--disk", "16");

        Assert.InRange(int.Parse(result.Lines[1].Split(' ')[0], CultureInfo.InvariantCulture), Files / 2, Files);
        Assert.Matches(" [1-9][0-9]* files had changed, 0 could not be read, 0 were not as they were set", result.Lines[^2]);
    }

    [Fact]
    public async Task A_killed_run_leaves_its_files_for_the_next_one()
    {
        using (var sample = SampleProcess.Start("04-Cache", [_tree.Path, "--plain", "--cache", _cache.PathOf("cache"), "--lookups", "2000000000", "--disk", "16"]))
        {
            // The last of 400 files is looked up once in some thousand times.
            await sample.UntilAsync(() => Directory.EnumerateFiles(_cache.Path, "*.segment", SearchOption.AllDirectories).Count() >= 4);
            sample.Kill();
        }

        var result = await RunAsync("--lookups", "1000", "--disk", "16");

        Assert.InRange(int.Parse(result.Lines[1].Split(' ')[0], CultureInfo.InvariantCulture), 1, Files);
        Assert.EndsWith(" 0 were not as they were set", result.Lines[^2], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("there is no such directory")]
    [InlineData("--unknown")]
    [InlineData("--lookups", "none")]
    [InlineData("--memory")]
    public async Task A_wrong_command_line_is_explained(params string[] arguments)
    {
        var result = await SampleProcess.RunAsync("04-Cache", arguments);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(arguments[0], result.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_tree_without_files_is_explained()
    {
        var empty = Directory.CreateDirectory(_cache.PathOf("empty")).FullName;

        var result = await SampleProcess.RunAsync("04-Cache", empty, "--cache", _cache.PathOf("cache"));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("has no files", result.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cache_of_a_later_version_is_said_without_a_stack_trace()
    {
        await RunAsync("--lookups", "10");
        var control = _cache.PathOf("cache/cache");
        var bytes = await File.ReadAllBytesAsync(control);
        bytes[8]++;
        await File.WriteAllBytesAsync(control, bytes);

        var result = await SampleProcess.RunAsync("04-Cache", _tree.Path, "--plain", "--cache", _cache.PathOf("cache"), "--memory", "1", "--disk", "2", "--lookups", "10");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("Update the BufferedMessages.Caching package", result.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
    }

    private async Task<SampleResult> RunAsync(params string[] arguments) =>
        (await SampleProcess.RunAsync("04-Cache", [_tree.Path, "--plain", "--cache", _cache.PathOf("cache"), "--memory", "1", .. arguments.Contains("--disk") ? Array.Empty<string>() : ["--disk", "2"], .. arguments])).Succeeded();

    private static double Number(Match figures, string name) => double.Parse(figures.Groups[name].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"^(?<lookups>\d+) lookups, (?<hits>[\d.]+) % hits, memory (?<memory>[\d.]+) of [\d.]+ MB, disk (?<disk>[\d.]+) of [\d.]+ MB, (?<allocated>[\d.]+) bytes allocated per hit$",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Figures();
}
