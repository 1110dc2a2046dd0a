using System.CommandLine;
using BufferedMessages.Samples;
using BufferedMessages.Samples.Service;

var data = new Option<string>("--data") { Description = "The folder of the queue; the same for both; by default bufferedmessages-service in the folder for temporary files", HelpName = "directory", Recursive = true };
var metrics = new Option<bool>("--metrics") { Description = "Also print the metrics, every ten seconds", Recursive = true };
var urls = new Option<string>("--urls") { Description = "Where the API listens; http://localhost:5080 by default", HelpName = "addresses" };
var concurrency = new Option<int>("--concurrency") { Description = "How many orders are handled at a time", HelpName = "number", DefaultValueFactory = static _ => 2 };

var rest = args.Where(static argument => argument is not ("api" or "worker")).ToArray();

// The parser holds the command line to what there is; the hosts read it as configuration.
var api = new Command("api", "Takes orders over HTTP and publishes them") { urls };
api.SetAction(_ => Api.Run(rest));
var worker = new Command("worker", "Handles orders; several workers share them") { concurrency };
worker.SetAction(_ => Worker.Run(rest));
var command = new RootCommand("Orders from an API to a worker, through a queue in memory-mapped files. Run both, in two terminals.") { data, metrics, api, worker };
return await SampleCommand.RunAsync(command, args, "dotnet run --project samples/06-Service -- api --urls http://localhost:5080", "dotnet run --project samples/06-Service -- worker --concurrency 4");
