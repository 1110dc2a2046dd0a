using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using BufferedMessages.CacheBenchmarks;

const string Usage = """
    Measures the cache, and in the same run Microsoft FASTER, MemoryCache and plain files.
    With the word "rates" first: compares its hit rates with those of known policies.

      --quick           200,000 keys instead of 1,000,000, and shorter
      --json FILE       writes the figures
      --directory DIR   where the files are made; by default where temporary files are
      --bytes N         only values of 100 or 1024 bytes
      --ratio N         only data of 0.5, 4 or 10 times the memory
      --seconds N       how long each figure is measured; 1
      --ours            only this project's cache
    """;

var isRates = args is ["rates", ..];
if (BenchmarkOptions.Parse(isRates ? args[1..] : args) is not { } options)
{
    Console.Error.WriteLine(Usage);
    return 2;
}

if (isRates)
{
    var directory = Directory.CreateDirectory(Path.Combine(options.Directory, Path.GetRandomFileName())).FullName;
    try
    {
        Save(new RateRun(directory, seed: 1, options.OursOnly, Console.Out).Run(), KeyTrace.Keys);
        return 0;
    }
    finally
    {
        Directory.Delete(directory, recursive: true);
    }
}

var results = new CacheRun(options, Console.Out).Run();
Save(results, options.Keys);
return results.TrueForAll(result => result.Misses == 0) ? 0 : 1;

void Save<T>(List<T> results, int keys)
{
    if (options.JsonFile is null)
    {
        return;
    }

    var run = new
    {
        Command = "dotnet run -c Release --project benchmarks/Toolkit.Caching -- " + string.Join(' ', args),
        Commit = Commit(),
        Machine = $"{Processor()}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}",
        Keys = keys,
        Results = results,
    };
    var format = new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };
    File.WriteAllText(options.JsonFile, JsonSerializer.Serialize(run, format) + "\n");
}

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
