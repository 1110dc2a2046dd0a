using System.CommandLine;
using System.Security.Cryptography;
using System.Text;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>What the command line says, and where the queue of a tree lies.</summary>
internal sealed class QuickStartOptions
{
    public const string ReaderRole = "--read";
    public const string PlainSwitch = "--plain";

    private readonly bool _plain;

    private QuickStartOptions(string root, bool plain, string queues)
    {
        _plain = plain;
        Root = root;

        // One queue per tree: a walk that was stopped is found again by the tree's path.
        var tree = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(root)))[..16];
        QueueDirectory = Path.Combine(Path.GetFullPath(queues), $"quickstart-{tree}");
    }

    /// <summary>The full path of the tree.</summary>
    public string Root { get; }

    /// <summary>The full path of the queue's directory.</summary>
    public string QueueDirectory { get; }

    /// <summary>The command line of the second process.</summary>
    public string[] ReaderArguments => _plain ? [ReaderRole, QueueDirectory, PlainSwitch] : [ReaderRole, QueueDirectory];

    private string FinishedDirectory => QueueDirectory + ".finished";

    /// <summary>Runs the command line.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="run">What is done with its options.</param>
    public static Task<int> RunAsync(string[] arguments, Func<QuickStartOptions, Task<int>> run)
    {
        var tree = SampleCommand.ExistingDirectory("The tree to walk", ".");
        var plain = new Option<bool>(PlainSwitch) { Description = "Print no live table" };
        var queues = new Option<string>("--queue") { Description = "Where the queue is kept while it is needed", HelpName = "directory", DefaultValueFactory = _ => Path.Combine(Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}") };
        var command = new RootCommand("Walks a directory tree and publishes a message for each file. A second process reads the messages in place, and counts.") { tree, plain, queues };
        command.SetAction((parsed, _) => run(new QuickStartOptions(Path.TrimEndingDirectorySeparator(Path.GetFullPath(parsed.GetRequiredValue(tree))), parsed.GetValue(plain), parsed.GetRequiredValue(queues))));
        return SampleCommand.RunAsync(command, arguments, "dotnet run --project samples/01-QuickStart", "dotnet run --project samples/01-QuickStart -- /usr --plain");
    }

    /// <summary>
    /// Removes the queue of a finished walk. It is moved away first, so that a kill amid the deletion leaves no half of a queue where
    /// the next run looks for one.
    /// </summary>
    public void Finish()
    {
        Directory.Move(QueueDirectory, FinishedDirectory);
        DeleteFinished();
    }

    /// <summary>Removes what a run that was killed at its very end has left.</summary>
    public void DeleteFinished()
    {
        if (Directory.Exists(FinishedDirectory))
        {
            Directory.Delete(FinishedDirectory, recursive: true);
        }
    }
}
