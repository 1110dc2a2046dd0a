using System.CommandLine;
using System.Text.Json;
using BufferedMessages.CacheBenchmarks;
using BufferedMessages.Running;

var quick = new Option<bool>("--quick") { Description = "200,000 keys instead of 1,000,000, and shorter" };
var json = RunnerCommand.JsonFile();
var folder = new Option<string>("--directory") { Description = "Where the files are made", HelpName = "directory", DefaultValueFactory = static _ => Path.GetTempPath() };
var bytes = RunnerCommand.OptionalNumber("--bytes", "Only values of 100 or 1024 bytes");
var ratio = RunnerCommand.OptionalFraction("--ratio", "Only data of 0.5, 4 or 10 times the memory, before that is rounded up to a power of two");
bytes.Validators.Add(static result =>
{
    if (result.Tokens is [var token] && token.Value is not ("100" or "1024"))
    {
        result.AddError($"--bytes is 100 or 1024, not '{token.Value}'.");
    }
});
ratio.Validators.Add(static result =>
{
    if (result.Tokens is [var token] && token.Value is not ("0.5" or "4" or "10"))
    {
        result.AddError($"--ratio is 0.5, 4 or 10, not '{token.Value}'.");
    }
});
var seconds = RunnerCommand.OptionalFraction("--seconds", "How long each figure is measured; 1, with --quick 0.2");
var ours = new Option<bool>("--ours") { Description = "Only this project's cache" };
var command = new RootCommand("Measures the cache, and in the same run Microsoft FASTER, MemoryCache and plain files.");
var rates = new Command("rates", "Compares its hit rates with those of known policies.");
foreach (var option in (Option[])[quick, json, folder, bytes, ratio, seconds, ours])
{
    option.Recursive = true;
    command.Options.Add(option);
}

command.Subcommands.Add(rates);
command.SetAction(parsed =>
{
    var options = Read(parsed);
    var commit = Machine.Commit();
    var others = CacheFigures.Others(options, commit);
    var results = new CacheRun(options, Console.Out).Run();
    Save(options, commit, [.. others.Concat(results).OrderBy(static result => result.ValueBytes).ThenBy(static result => result.DataPerMemory)], options.Keys);
    return results.TrueForAll(static result => result.Misses == 0) ? 0 : 1;
});
rates.SetAction(parsed =>
{
    if (((Option[])[quick, bytes, ratio, seconds]).FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false }) is { } unused)
    {
        Console.Error.WriteLine($"'rates' has no use for {unused.Name}. Leave it out.");
        return RunnerCommand.Mistake;
    }

    var options = Read(parsed);
    var directory = Directory.CreateDirectory(Path.Combine(options.Directory, Path.GetRandomFileName())).FullName;
    try
    {
        Save(options, Machine.Commit(), new RateRun(directory, options.OursOnly, Console.Out).Run(), KeyTrace.Keys);
        return 0;
    }
    finally
    {
        Directory.Delete(directory, recursive: true);
    }
});
return await RunnerCommand.RunAsync(
    command,
    args,
    "dotnet run -c Release --project benchmarks/Toolkit.Caching -- --quick --bytes 100",
    "dotnet run -c Release --project benchmarks/Toolkit.Caching -- rates");

BenchmarkOptions Read(ParseResult parsed) => new()
{
    Keys = parsed.GetValue(quick) ? 200_000 : 1_000_000,
    Time = TimeSpan.FromSeconds(parsed.GetValue(seconds) ?? (parsed.GetValue(quick) ? 0.2 : 1)),
    JsonFile = parsed.GetValue(json),
    Directory = parsed.GetRequiredValue(folder),
    Bytes = parsed.GetValue(bytes),
    Ratio = parsed.GetValue(ratio),
    OursOnly = parsed.GetValue(ours),
};

void Save<T>(BenchmarkOptions options, string commit, List<T> results, int keys)
{
    if (options.JsonFile is null)
    {
        return;
    }

    var run = new
    {
        Command = "dotnet run -c Release --project benchmarks/Toolkit.Caching -- " + string.Join(' ', args),
        Commit = commit,
        Machine = Machine.Name(),
        Keys = keys,
        Results = results,
    };
    File.WriteAllText(options.JsonFile, JsonSerializer.Serialize(run, CacheFigures.Format) + "\n");
}
