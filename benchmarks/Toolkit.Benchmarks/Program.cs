using System.CommandLine;
using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BufferedMessages.Running;
using BufferedMessages.Samples;
using Toolkit.Benchmarks;
using Toolkit.Benchmarks.Generator;
using Toolkit.Benchmarks.Turns;

var resultsOption = new Option<string?>("--results") { Description = "A directory for the figures, in a file for each folder of this project: the tables of the documents are made from them. Those of the messages are made by --turns", HelpName = "directory" };
var buildTime = new Option<int>("--build-time")
{
    Description = "Only measures what the generated code of this many message types adds to a build; 100 without a number",
    HelpName = "types",
    Arity = ArgumentArity.ZeroOrOne,
    CustomParser = static result =>
    {
        if (result.Tokens is not [var token])
        {
            return 100;
        }

        if (!int.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var types) || types == 0)
        {
            result.AddError($"--build-time needs a whole number from 1 on, not '{token.Value}'.");
        }

        return types;
    },
};
var turns = new Option<string?>("--turns") { Description = "Measures only the messages, all operations in turns; with a scenario, that one in this process", HelpName = "scenario", Arity = ArgumentArity.ZeroOrOne };
turns.AcceptOnlyFromAmong([.. MessageTurns.Names]);
var command = new RootCommand("Measures messages, streams and the generator against peers. All other options are those of BenchmarkDotNet, such as --filter and --job; without a filter all benchmarks run.") { resultsOption, turns, buildTime };
command.TreatUnmatchedTokensAsErrors = false;
command.SetAction(parsed =>
{
    if (FaultOf(parsed) is { } fault)
    {
        Console.Error.WriteLine(fault);
        return RunnerCommand.Mistake;
    }

    if (parsed.GetResult(buildTime) is not null)
    {
        BuildTime.Print(parsed.GetValue(buildTime));
        return 0;
    }

    if (parsed.GetResult(turns) is not null)
    {
        return parsed.GetValue(turns) is { } scenario ? MessageTurns.Run(scenario) : MessageTurns.RunAll(parsed.GetValue(resultsOption), Line());
    }

    return Measure([.. parsed.UnmatchedTokens], parsed.GetValue(resultsOption));
});

string[] examples =
[
    "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- --turns --results benchmarks/results",
    "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- --job short --filter '*.Strings.*'",
    "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- --build-time 1000",
];

// BenchmarkDotNet handles Ctrl+C, and the turns have no files. A build has a folder to delete.
return args.Any(static argument => argument.StartsWith("--build-time", StringComparison.Ordinal))
    ? await RunnerCommand.RunAsync(command, args, examples)
    : await SampleCommand.RunAsync(command, args, examples);

string? FaultOf(ParseResult parsed)
{
    var isBuild = parsed.GetResult(buildTime) is not null;
    var isTurns = parsed.GetResult(turns) is not null;
    return !isBuild && !isTurns ? null
        : parsed.UnmatchedTokens is [var token, ..] ? $"--turns and --build-time take no option of BenchmarkDotNet. Leave '{token}' out."
        : isBuild && isTurns ? "--turns and --build-time are two measurements. Leave one of them out."
        : parsed.GetResult(resultsOption) is not null && (isBuild || parsed.GetValue(turns) is not null) ? "Figures of --build-time, and of one scenario of --turns, are only printed. Leave --results out."
        : null;
}

int Measure(List<string> options, string? results)
{
    if (!ConfigParser.Parse([.. options], ConsoleLogger.Default).isSuccess)
    {
        return RunnerCommand.Mistake;
    }

    if (!options.Exists(static option => option is "-f" || option.StartsWith("--filter", StringComparison.Ordinal)))
    {
        options.AddRange(["--filter", "*"]);
    }

    var summaries = BenchmarkSwitcher.FromAssembly(typeof(ResultFile).Assembly).Run([.. options], DefaultConfig.Instance).ToList();
    if (summaries.Count == 0)
    {
        if (options.Exists(static option => option.StartsWith("--list", StringComparison.Ordinal) || option is "--info"))
        {
            return 0;
        }

        Console.Error.WriteLine("No benchmark was run. --list flat shows their names.");
        return RunnerCommand.Mistake;
    }

    if (results is not null)
    {
        foreach (var file in summaries.Where(static summary => summary.BenchmarksCases.Length != 0).GroupBy(ResultFile.NameOf, StringComparer.Ordinal).Where(static file => file.Key != MessageTurns.FileName && file.All(IsWhole)))
        {
            ResultFile.Write(Path.Combine(results, file.Key), Line(), file);
        }
    }

    if (!summaries.TrueForAll(IsWhole))
    {
        Console.Error.WriteLine("Benchmarks failed, with the reasons above. The file of their folder is not written.");
        return RunnerCommand.Failed;
    }

    return 0;
}

static bool IsWhole(Summary summary) => !summary.HasCriticalValidationErrors && summary.Reports.All(static report => report.ResultStatistics is not null);

string Line() => "dotnet run -c Release --project benchmarks/Toolkit.Benchmarks -- " + string.Join(' ', args);
