using System.CommandLine;
using BufferedMessages.Peers;
using BufferedMessages.Samples;

if (args is [PeerRun.AnswerPart, var name, var place, var peers])
{
    SecondProcess.OnFirstProcessEnded(static () => Environment.Exit(0));
    return PeerRun.Answer(name, place, peers);
}

var assemblies = new Option<DirectoryInfo>("--assemblies")
{
    Description = $"A folder with built assemblies, with what they need beside them: {string.Join(", ", Adapter.All.SelectMany(static adapter => adapter.Files))}",
    HelpName = "folder",
};
assemblies.AcceptExistingOnly();
var workloads = new Option<string[]>("--workload") { Description = "Only some of messages, streams, queues, channels and caches", HelpName = "names", AllowMultipleArgumentsPerToken = true, DefaultValueFactory = static _ => [] };
workloads.AcceptOnlyFromAmong("messages", "streams", "queues", "channels", "caches");
var json = RunnerCommand.JsonFile();
var command = new RootCommand("Measures this project beside the libraries that it replaces, in one run. Those that no package registry of the repository has take part when their assemblies are given.") { assemblies, workloads, json };
command.SetAction(parsed =>
{
    var parent = Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath();
    var directory = Directory.CreateDirectory(Path.Combine(parent, $"toolkit-peers-{Environment.ProcessId}"));
    try
    {
        new PeerRun(parsed.GetValue(assemblies)?.FullName, directory.FullName, Console.Out)
            .Run(parsed.GetValue(workloads)!, parsed.GetValue(json), "dotnet run -c Release --project benchmarks/Toolkit.Peers -- " + string.Join(' ', args));
        return 0;
    }
    finally
    {
        directory.Delete(recursive: true);
    }
});
return await RunnerCommand.RunAsync(
    command,
    args,
    "dotnet run -c Release --project benchmarks/Toolkit.Peers",
    "dotnet run -c Release --project benchmarks/Toolkit.Peers -- --assemblies peers --workload queues");
