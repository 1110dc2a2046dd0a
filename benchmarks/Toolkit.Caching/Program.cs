using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using BufferedMessages.CacheBenchmarks;

const string Usage = """
    Measures the cache, and in the same run Microsoft FASTER, MemoryCache and plain files.

      --quick           200,000 keys instead of 1,000,000, and shorter
      --json FILE       writes the figures
      --directory DIR   where the files are made; by default where temporary files are
      --bytes N         only values of 100 or 1024 bytes
      --ratio N         only data of 0.5, 4 or 10 times the memory
      --seconds N       how long each figure is measured; 1
      --ours            only this project's cache
    """;

if (BenchmarkOptions.Parse(args) is not { } options)
{
    Console.Error.WriteLine(Usage);
    return 2;
}

var results = new CacheRun(options, Console.Out).Run();
if (options.JsonFile is not null)
{
    var run = new
    {
        Command = "dotnet run -c Release --project benchmarks/Toolkit.Caching -- " + string.Join(' ', args),
        Commit = Commit(),
        Machine = $"{Processor()}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}",
        options.Keys,
        Results = results,
    };
    var format = new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };
    File.WriteAllText(options.JsonFile, JsonSerializer.Serialize(run, format) + "\n");
}

return results.TrueForAll(result => result.Misses == 0) ? 0 : 1;

static string Commit()
{
    using var git = Process.Start(new ProcessStartInfo("git", "rev-parse --short HEAD") { RedirectStandardOutput = true, UseShellExecute = false });
    var output = git?.StandardOutput.ReadToEnd().Trim();
    git?.WaitForExit();
    return string.IsNullOrEmpty(output) ? "unknown" : output;
}

static string Processor() =>
    OperatingSystem.IsLinux() && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } name
        ? name[(name.IndexOf(':', StringComparison.Ordinal) + 2)..]
        : RuntimeInformation.OSArchitecture.ToString();
