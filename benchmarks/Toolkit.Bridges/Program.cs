using System.CommandLine;
using System.Text.Json;
using BufferedMessages.BridgeBenchmarks;
using BufferedMessages.Bridges.Torture;
using BufferedMessages.Running;

var brokerOption = RunnerCommand.Choice("--broker", "The broker", "both", "both", "rabbitmq", "redis");
var messagesOption = RunnerCommand.Number("--messages", "Messages of a round with runs of 256; with runs of one message a twentieth", 2_000_000, least: 20);
var roundsOption = RunnerCommand.Number("--rounds", "How often it measures; the median is taken", 5, least: 1);
var jsonOption = RunnerCommand.JsonFile();
var command = new RootCommand("Measures bridges through brokers of their own (the servers must be installed), one process: out, in, and in place without a queue.") { brokerOption, messagesOption, roundsOption, jsonOption };
command.SetAction(parsed =>
{
    var broker = parsed.GetRequiredValue(brokerOption);
    return MeasureAsync(broker == "both" ? ["rabbitmq", "redis"] : [broker], parsed.GetValue(messagesOption), parsed.GetValue(roundsOption), parsed.GetValue(jsonOption));
});
return await RunnerCommand.RunAsync(command, args, "dotnet run -c Release --project benchmarks/Toolkit.Bridges -- --broker redis --messages 200000");

async Task<int> MeasureAsync(string[] brokers, long messages, int rounds, string? json)
{
    // Found out before the run: it would lose the figures of the other broker.
    if (Array.Find(brokers, static name => !TortureBrokers.IsInstalled(name)) is { } missing)
    {
        Console.Error.WriteLine($"The server of {missing} is not installed: apt-get install {TortureBrokers.PackageOf(missing)}");
        return RunnerCommand.Mistake;
    }

    var figures = new List<BridgeFigure>();
    foreach (var name in brokers)
    {
        await using var broker = await TortureBrokers.StartAsync(name);
        using var measurement = new BridgeMeasurement(broker, name, rounds, Console.Out);
        figures.AddRange(await measurement.RunAsync(256, messages));
        figures.AddRange(await measurement.RunAsync(1, messages / 20));
    }

    if (json is not null)
    {
        var run = new
        {
            Command = "dotnet run -c Release --project benchmarks/Toolkit.Bridges -- " + string.Join(' ', args),
            Commit = Machine.Commit(),
            Machine = Machine.Name(),
            Results = figures,
        };
        File.WriteAllText(json, JsonSerializer.Serialize(run, new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true }) + "\n");
    }

    return 0;
}
