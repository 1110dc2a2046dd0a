using System.CommandLine;
using BufferedMessages.Running;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>The programs that are measured, and the one that measures them.</summary>
internal static class Commands
{
    public static int Run(string[] args)
    {
        switch (args)
        {
            case ["publish", var directory]:
                FirstMessage.Publish(directory);
                return 0;
            case ["read", var directory]:
                FirstMessage.Read(directory);
                return 0;
            case ["write-stream", var directory]:
                FirstStream.Write(directory);
                return 0;
            case ["read-stream", var directory]:
                FirstStream.Read(directory);
                return 0;
            default:
                return Measure(args);
        }
    }

    private static int Measure(string[] args)
    {
        var rounds = RunnerCommand.Number("--rounds", "How often each program is started", 15, least: 1);
        var ways = new Option<string?>("--ways") { Description = "A folder that publish.sh has filled: this program, published in the ways that users have; by default this build alone", HelpName = "folder" };
        ways.Validators.Add(static result =>
        {
            if (result.Tokens is [var token] && !Directory.Exists(token.Value))
            {
                result.AddError($"The folder of --ways '{token.Value}' does not exist.");
            }
        });
        var json = RunnerCommand.JsonFile();
        var command = new RootCommand("Starts programs that use a queue for the first time, in turns with an empty one.") { rounds, ways, json };
        command.SetAction(parsed =>
        {
            new ColdRun(new ColdOptions(parsed.GetValue(rounds), parsed.GetValue(ways), parsed.GetValue(json)))
                .Run("dotnet run -c Release --project benchmarks/Toolkit.Cold -- " + string.Join(' ', args));
            return 0;
        });
        return RunnerCommand.RunAsync(command, args, "dotnet run -c Release --project benchmarks/Toolkit.Cold -- --rounds 5").GetAwaiter().GetResult();
    }
}
