using System.CommandLine;
using System.Text.Json;
using BufferedMessages.HostingBenchmarks;
using BufferedMessages.Running;

if (args is [RequestMeasurement.ResponderPart, var name])
{
    await RequestMeasurement.RespondAsync(name);
    return 0;
}

var messagesOption = RunnerCommand.Number("--messages", "Messages of a round", 1_000_000, least: 2);
var roundsOption = RunnerCommand.Number("--rounds", "How often it measures; the medians are taken", 7, least: 1);
var jsonOption = RunnerCommand.JsonFile();
var requests = new Command("requests", "Measures requests to another process: round trips one by one and many at a time, bytes that they allocate, and the time from kill -9 of the responder to the failure of a request.");
requests.SetAction(async parsed =>
{
    if (((Option[])[messagesOption, roundsOption, jsonOption]).FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false }) is { } unused)
    {
        await Console.Error.WriteLineAsync($"'requests' has no use for {unused.Name}. Leave it out.");
        return RunnerCommand.Mistake;
    }

    await RequestMeasurement.RunAsync(Console.Out);
    return 0;
});
var command = new RootCommand("Measures handlers of a host beside a loop over ReadAll, in turns, one process: orders and values of 8 bytes, from queues that are full of them.") { messagesOption, roundsOption, jsonOption, requests };
command.SetAction(async parsed =>
{
    await MeasureAsync(parsed.GetValue(messagesOption), parsed.GetValue(roundsOption), parsed.GetValue(jsonOption));
    return 0;
});
return await RunnerCommand.RunAsync(
    command,
    args,
    "dotnet run -c Release --project benchmarks/Toolkit.Hosting -- --messages 100000 --rounds 3",
    "dotnet run -c Release --project benchmarks/Toolkit.Hosting -- requests");

async Task MeasureAsync(long messages, int rounds, string? json)
{
    // In memory, where that is a file system: a disk would write the queues back during the rounds.
    var directory = Directory.CreateDirectory(Path.Combine(Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), $"toolkit-hosting-{Environment.ProcessId}"));
    IReadOnlyList<HostingFigure> figures;
    try
    {
        figures = await new HostingMeasurement(directory.FullName, messages, rounds, Console.Out).RunAsync();
    }
    finally
    {
        directory.Delete(recursive: true);
    }

    if (json is not null)
    {
        var run = new
        {
            Command = "dotnet run -c Release --project benchmarks/Toolkit.Hosting -- " + string.Join(' ', args),
            Commit = Machine.Commit(),
            Machine = Machine.Name(),
            Results = figures,
        };
        File.WriteAllText(json, JsonSerializer.Serialize(run, new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true }) + "\n");
    }
}
