using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using Toolkit.Benchmarks;
using Toolkit.Benchmarks.Generator;

// dotnet run -c Release --project benchmarks/Toolkit.Benchmarks [-- --results DIRECTORY] [BenchmarkDotNet's own options]
// With --results the figures go to files in DIRECTORY too, one for each folder of this project: the tables of README and docs/performance.md are made from them.
// dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- --build-time [TYPES]
// measures what the generated code of so many message types, 100 by default, adds to a build.
if (args is ["--build-time", .. var count])
{
    BuildTime.Print(count is [var types] ? int.Parse(types, CultureInfo.InvariantCulture) : 100);
    return;
}

var options = args.ToList();
var at = options.IndexOf("--results");
var results = at >= 0 && at + 1 < options.Count ? options[at + 1] : null;
if (results is not null)
{
    options.RemoveRange(at, 2);
}

if (!options.Contains("--filter"))
{
    options.AddRange(["--filter", "*"]);
}

var summaries = BenchmarkSwitcher.FromAssembly(typeof(ResultFile).Assembly).Run([.. options], DefaultConfig.Instance);
if (results is not null)
{
    var command = "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- " + string.Join(' ', args);
    foreach (var file in summaries.Where(summary => summary.BenchmarksCases.Length != 0).GroupBy(ResultFile.NameOf, StringComparer.Ordinal))
    {
        ResultFile.Write(Path.Combine(results, file.Key), command, file, file.Key == "messages.json" ? MessageSizes.All() : null);
    }
}
