using System.Security.Cryptography;
using System.Text;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>What the command line says, and where the queue of a tree lies.</summary>
internal sealed class QuickStartOptions
{
    public const string ReaderRole = "--read";
    public const string PlainSwitch = "--plain";
    public const string Usage = """
        QuickStart [path] [--plain] [--queue DIR]
          path         the tree to walk; the current directory by default
          --plain      print no live table
          --queue DIR  where the queue is kept while it is needed; in the temporary directory by default
        """;

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

    /// <summary>What starts the second process.</summary>
    public string[] ReaderArguments => _plain ? [ReaderRole, QueueDirectory, PlainSwitch] : [ReaderRole, QueueDirectory];

    private string FinishedDirectory => QueueDirectory + ".finished";

    /// <summary>Reads the command line.</summary>
    /// <exception cref="ArgumentException">It makes no sense.</exception>
    public static QuickStartOptions Parse(ReadOnlySpan<string> arguments)
    {
        string? root = null;
        var plain = false;
        var queues = Path.Combine(Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}");
        for (var i = 0; i < arguments.Length; i++)
        {
            if (arguments[i] == PlainSwitch)
            {
                plain = true;
            }
            else if (arguments[i] == "--queue" && i + 1 < arguments.Length)
            {
                queues = arguments[++i];
            }
            else if (root is null && !arguments[i].StartsWith("--", StringComparison.Ordinal))
            {
                root = arguments[i];
            }
            else
            {
                throw new ArgumentException($"'{arguments[i]}' is not understood.{Environment.NewLine}{Usage}");
            }
        }

        root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(root ?? "."));
        if (!Directory.Exists(root))
        {
            throw new ArgumentException($"There is no directory '{root}'.");
        }

        return new QuickStartOptions(root, plain, queues);
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
