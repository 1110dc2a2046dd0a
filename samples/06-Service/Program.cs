using System.CommandLine;
using BufferedMessages;
using BufferedMessages.Samples;
using BufferedMessages.Samples.Service;
using Microsoft.Extensions.Options;

var data = new Option<string>("--data") { Description = "The folder of the queue; the same for both; by default bufferedmessages-service in the folder for temporary files", HelpName = "directory", Recursive = true };
var metrics = new Option<bool>("--metrics") { Description = "Also print the metrics, every ten seconds", Recursive = true };
var urls = new Option<string>("--urls") { Description = "Where the API listens; http://localhost:5080 by default", HelpName = "addresses" };
var concurrency = new Option<int>("--concurrency") { Description = "How many orders are handled at a time", HelpName = "number", DefaultValueFactory = static _ => 2 };

var api = new Command("api", "Takes orders over HTTP and publishes them") { urls };
api.SetAction(parsed => Api.Run(SettingsOf(parsed)));
var worker = new Command("worker", "Handles orders; several workers share them") { concurrency };
worker.SetAction(parsed => Worker.Run(SettingsOf(parsed)));
var command = new RootCommand("Orders from an API to a worker, through a queue in memory-mapped files. Run both, in two terminals.") { data, metrics, api, worker };
try
{
    return await SampleCommand.RunAsync(command, args, "dotnet run --project samples/06-Service -- api --urls http://localhost:5080", "dotnet run --project samples/06-Service -- worker --concurrency 4");
}
catch (Exception exception) when (exception is ArgumentException or FormatException or OptionsValidationException or QueueCorruptedException or SchemaMismatchException or NotSupportedException or UnauthorizedAccessException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return SampleCommand.Mistake;
}

// The parser holds the command line to what there is; the hosts read it as configuration. There each option is one word: a switch alone would take the next word for its value.
string[] SettingsOf(ParseResult parsed) =>
[
    $"{metrics.Name}={parsed.GetValue(metrics)}",
    .. from option in (Option[])[data, urls, concurrency]
       let result = parsed.GetResult(option)
       where result is { Implicit: false }
       select $"{option.Name}={result.Tokens[0].Value}",
];
