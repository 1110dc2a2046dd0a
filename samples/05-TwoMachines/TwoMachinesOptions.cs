using System.CommandLine;
using System.Security.Cryptography;
using System.Text;

namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The command line.</summary>
/// <param name="Tree">The tree to walk.</param>
/// <param name="Machines">The folder of the two machines.</param>
/// <param name="Broker">The address of the broker.</param>
/// <param name="IsPlain">No live table.</param>
internal sealed record TwoMachinesOptions(string Tree, string Machines, string Broker, bool IsPlain)
{
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

    /// <summary>Runs the command line.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="run">What is done with its options.</param>
    public static Task<int> RunAsync(string[] arguments, Func<TwoMachinesOptions, Task<int>> run)
    {
        var tree = SampleCommand.ExistingDirectory("The tree to walk", ".");
        var broker = new Option<string>("--broker") { Description = "amqp://user:password@host:port for RabbitMQ, redis://host:port for Redis", HelpName = "address", DefaultValueFactory = static _ => "amqp://guest:guest@localhost:5672" };
        broker.Validators.Add(static result =>
        {
            if (!Uri.TryCreate(result.GetValueOrDefault<string>(), UriKind.Absolute, out var address) || address.Scheme is not ("amqp" or "amqps" or "redis"))
            {
                result.AddError($"--broker {result.GetValueOrDefault<string>()} is not an address of a broker, such as amqp://host:5672 or redis://host:6379.");
            }
        });
        var machines = new Option<string?>("--machines") { Description = "The folder of the two machines. It is kept, so a run that was stopped goes on; by default one for each tree and broker, in the folder for temporary files", HelpName = "directory" };
        var plain = new Option<bool>("--plain") { Description = "Print no live table" };
        var command = new RootCommand("Walks a tree on one machine and counts on another: a queue that continues through a broker. Kill any process, and each message still comes once.") { tree, broker, machines, plain };
        command.SetAction((parsed, _) =>
        {
            var root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(parsed.GetRequiredValue(tree)));
            var address = parsed.GetRequiredValue(broker);
            return run(new TwoMachinesOptions(root, Path.GetFullPath(parsed.GetValue(machines) ?? FolderOf(root, address)), address, parsed.GetValue(plain)));
        });
        return SampleCommand.RunAsync(command, arguments, "dotnet run --project samples/05-TwoMachines", "dotnet run --project samples/05-TwoMachines -- /usr --broker redis://localhost:6379");
    }

    /// <summary>The arguments of a process that plays a machine.</summary>
    public string[] ArgumentsOf(string role) => [role, Tree, "--broker", Broker, "--machines", Machines, .. IsPlain ? ["--plain"] : Array.Empty<string>()];

    // The queues of one walk are not those of another, and a broker lacks the messages that another one has confirmed.
    private static string FolderOf(string tree, string broker) => Path.Combine(
        Path.GetTempPath(), $"BufferedMessages-{Environment.UserName}", "two-machines-" + Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{tree}\n{broker}")))[..16]);
}
