using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using Toolkit.Benchmarks;
using Toolkit.Benchmarks.Container;
using Toolkit.Benchmarks.Generator;

// dotnet run -c Release --project benchmarks/Toolkit.Benchmarks [-- --results DIRECTORY] [BenchmarkDotNet's own options]
// With --results the figures go to DIRECTORY/messages.json too, from which the README's table is made.
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

var summaries = BenchmarkSwitcher.FromAssembly(typeof(ContainerBenchmarks).Assembly).Run([.. options], DefaultConfig.Instance);
if (results is not null)
{
    ResultFile.Write(Path.Combine(results, "messages.json"), "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- " + string.Join(' ', args), summaries, MessageSizes.All());
}
