namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The command line.</summary>
/// <param name="Tree">The tree to walk.</param>
/// <param name="Machines">The folder of the two machines.</param>
/// <param name="Broker">The address of the broker.</param>
/// <param name="IsPlain">No live table.</param>
internal sealed record TwoMachinesOptions(string Tree, string Machines, string Broker, bool IsPlain)
{
    public const string Usage = """
        TwoMachines [path] [--broker ADDRESS] [--machines DIR] [--plain]
          path              the tree to walk; the current directory by default
          --broker ADDRESS  amqp://user:password@host:port for RabbitMQ, redis://host:port for Redis; amqp://guest:guest@localhost:5672 by default
          --machines DIR    the folder of the two machines; in the temporary directory by default. It is kept, so a run that was stopped goes on
          --plain           print no live table
        """;

    public const string NoBroker = """
        Get one of:
          docker compose -f samples/05-TwoMachines/compose.yaml up rabbitmq
          apt-get install rabbitmq-server && rabbitmq-plugins enable rabbitmq_stream
          apt-get install redis-server        and run with --broker redis://localhost:6379
        """;

    /// <summary>The queue of the machine that walks.</summary>
    public string QueueA => Path.Combine(Machines, "a", "files");

    /// <summary>The queue of the machine that counts.</summary>
    public string QueueB => Path.Combine(Machines, "b", "files");

    /// <exception cref="ArgumentException">The command line makes no sense.</exception>
    public static TwoMachinesOptions Parse(ReadOnlySpan<string> arguments)
    {
        var options = new TwoMachinesOptions(".", Path.Combine(Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}", "two-machines"), "amqp://guest:guest@localhost:5672", IsPlain: false);
        for (var i = 0; i < arguments.Length; i++)
        {
            options = arguments[i] switch
            {
                "--plain" => options with { IsPlain = true },
                "--broker" when i + 1 < arguments.Length => options with { Broker = arguments[++i] },
                "--machines" when i + 1 < arguments.Length => options with { Machines = Path.GetFullPath(arguments[++i]) },
                ['-', ..] => throw new ArgumentException($"'{arguments[i]}' is not understood.{Environment.NewLine}{Usage}"),
                _ => options with { Tree = arguments[i] },
            };
        }

        var tree = Path.GetFullPath(options.Tree);
        return Directory.Exists(tree) ? options with { Tree = tree } : throw new ArgumentException($"'{tree}' is not a directory.");
    }

    /// <summary>The arguments of a process that plays a machine.</summary>
    public string[] ArgumentsOf(string role) => [role, Tree, "--broker", Broker, "--machines", Machines, .. IsPlain ? ["--plain"] : Array.Empty<string>()];
}
