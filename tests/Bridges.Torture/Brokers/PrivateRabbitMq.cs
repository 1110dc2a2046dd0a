using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace BufferedMessages.Bridges.Torture;

/// <summary>
/// A RabbitMQ broker of this process alone: data, node name and ports of its own, on the loopback. A shell waits for the end of its standard input and then kills the group of the broker's processes,
/// so a test that is aborted leaves no broker.
/// </summary>
internal sealed class PrivateRabbitMq : IAsyncDisposable
{
    private const string Server = "/usr/lib/rabbitmq/bin/rabbitmq-server";
    private const string Control = "/usr/lib/rabbitmq/bin/rabbitmqctl";
    private const string Epmd = "/usr/bin/epmd";

    // The first line of the output is the process id of the broker. All processes are in the shell's group, but the one that deletes the data of an aborted test.
    private const string Script = $"""
        {Epmd} -address 127.0.0.1 -port "$ERL_EPMD_PORT" </dev/null >/dev/null 2>&1 &
        {Server} </dev/null >"$RABBITMQ_LOG_BASE/console" 2>&1 &
        echo $!
        cat >"$HOME/keep"
        test -s "$HOME/keep" || setsid --fork /bin/sh -c 'sleep 1; rm -rf "$HOME"'
        kill -9 -$$
        """;

    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(120);

    private readonly string _folder = Directory.CreateTempSubdirectory("private-rabbitmq-").FullName;
    private readonly string _node = $"bridge-{Guid.NewGuid():N}@localhost";
    private readonly int[] _ports = FreePorts(4);
    private readonly RabbitMqTls? _tls;
    private Process? _group;
    private int _broker;

    private PrivateRabbitMq(RabbitMqTls? tls) => _tls = tls;

    /// <summary>Whether a broker can be started here.</summary>
    public static bool IsInstalled => File.Exists(Server) && File.Exists(Epmd) && File.Exists("/usr/bin/setsid");

    /// <summary>The address for AMQP.</summary>
    public Uri Uri => new($"amqp://guest:guest@127.0.0.1:{_ports[0]}/");

    /// <summary>The port for AMQP over TLS.</summary>
    public int TlsPort => _ports[3];

    /// <summary>Starts a broker, and waits until it accepts connections.</summary>
    public static async Task<PrivateRabbitMq> StartAsync(RabbitMqTls? tls = null)
    {
        var broker = new PrivateRabbitMq(tls);
        try
        {
            await broker.StartAgainAsync();
            return broker;
        }
        catch
        {
            await broker.DisposeAsync();
            throw;
        }
    }

    public ConnectionFactory Factory() => new() { Uri = Uri };

    /// <summary>Starts the broker on the data that it left, on the same ports.</summary>
    public async Task StartAgainAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "enabled_plugins"), "[].\n");
        await File.WriteAllTextAsync(Path.Combine(_folder, "rabbitmq.conf"), Configuration());
        Directory.CreateDirectory(Path.Combine(_folder, "log"));
        var start = new ProcessStartInfo("/usr/bin/setsid", ["/bin/sh", "-c", Script]) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };
        foreach (var (name, value) in Environment())
        {
            start.Environment[name] = value;
        }

        _group = Process.Start(start)!;
        _broker = int.Parse((await _group.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);
        await WaitUntilItAcceptsAsync();
    }

    /// <summary>Kills the broker, as a crash of its machine would.</summary>
    public void Kill()
    {
        if (_group is { } group)
        {
            _group = null;

            // The shell kills its group at the end of its input, itself included.
            group.StandardInput.WriteLine("keep the data");
            group.StandardInput.Close();
            group.WaitForExit();
            group.Dispose();
        }
    }

    /// <summary>Ends the broker as an operator does: it closes its connections and its files.</summary>
    public async Task StopGracefullyAsync()
    {
        await SignalAsync("TERM", _broker);
        await UntilAsync(() => Task.FromResult(!Directory.Exists($"/proc/{_broker}")), "did not stop");
        Kill();
    }

    /// <summary>Stops the broker where it is: its connections stay open, and nothing answers.</summary>
    public Task FreezeAsync() => SignalAsync("STOP", Emulator());

    /// <summary>Lets a frozen broker go on.</summary>
    public Task ThawAsync() => SignalAsync("CONT", Emulator());

    /// <summary>Sets the free space of the disk below which the broker takes no messages.</summary>
    public Task SetDiskFreeLimitAsync(string limit) => ControlAsync("set_disk_free_limit", limit);

    /// <summary>Sets the part of the machine's memory above which the broker takes no messages; with 0 it takes none.</summary>
    public Task SetMemoryLimitAsync(string part) => ControlAsync("set_vm_memory_high_watermark", part);

    /// <summary>Sets the largest message that channels take which are opened from now on.</summary>
    public Task SetMaxMessageSizeAsync(int bytes) => ControlAsync("eval", string.Create(CultureInfo.InvariantCulture, $"application:set_env(rabbit, max_message_size, {bytes})."));

    /// <summary>Sets how long channels that are opened from now on wait for an acknowledgement, and how often they look.</summary>
    public Task SetConsumerTimeoutAsync(int milliseconds, int everyMilliseconds) => ControlAsync(
        "eval",
        string.Create(
            CultureInfo.InvariantCulture, $"application:set_env(rabbit, consumer_timeout, {milliseconds}), application:set_env(rabbit, channel_tick_interval, {everyMilliseconds})."));

    /// <summary>Adds a user, who is also the password. The permissions are regular expressions.</summary>
    public async Task AddUserAsync(string user, string configure, string write, string read)
    {
        await ControlAsync("add_user", user, user);
        await ControlAsync("set_permissions", user, configure, write, read);
    }

    public async ValueTask DisposeAsync()
    {
        Kill();

        // The files of a killed process are free a moment later.
        await UntilAsync(
            () =>
            {
                try
                {
                    Directory.Delete(_folder, recursive: true);
                }
                catch (IOException) when (Directory.Exists(_folder))
                {
                    return Task.FromResult(false);
                }

                return Task.FromResult(true);
            },
            "left files");
    }

    private static async Task SignalAsync(string signal, int process)
    {
        using var kill = Process.Start("/bin/kill", [$"-{signal}", process.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        if (kill.ExitCode != 0)
        {
            throw new InvalidOperationException($"Process {process} did not take {signal}.");
        }
    }

    private static int[] FreePorts(int count)
    {
        var listeners = Enumerable.Range(0, count).Select(_ => new TcpListener(IPAddress.Loopback, 0)).ToArray();
        foreach (var listener in listeners)
        {
            listener.Start();
        }

        var ports = listeners.Select(listener => ((IPEndPoint)listener.LocalEndpoint).Port).ToArray();
        foreach (var listener in listeners)
        {
            listener.Dispose();
        }

        return ports;
    }

    private async Task ControlAsync(params string[] command)
    {
        var start = new ProcessStartInfo(Control, command) { RedirectStandardError = true, RedirectStandardOutput = true, UseShellExecute = false };
        foreach (var (name, value) in Environment())
        {
            start.Environment[name] = value;
        }

        using var control = Process.Start(start)!;
        var failure = await control.StandardError.ReadToEndAsync();
        await control.WaitForExitAsync();
        if (control.ExitCode != 0)
        {
            throw new InvalidOperationException($"The broker did not take {string.Join(' ', command)}: {failure}");
        }
    }

    private string Configuration()
    {
        var tls = _tls is null ? "" : $"""
            listeners.ssl.local = 127.0.0.1:{TlsPort}
            ssl_options.cacertfile = {_tls.AuthorityFile}
            ssl_options.certfile = {_tls.CertificateFile}
            ssl_options.keyfile = {_tls.KeyFile}
            ssl_options.verify = verify_none
            """;
        return $"""
            listeners.tcp.local = 127.0.0.1:{_ports[0]}
            disk_free_limit.absolute = 1MB
            {tls}

            """;
    }

    // The broker's script waits for the one process that it started.
    private int Emulator() => int.Parse(File.ReadAllText($"/proc/{_broker}/task/{_broker}/children"), CultureInfo.InvariantCulture);

    private Dictionary<string, string> Environment() => new()
    {
        ["HOME"] = _folder,
        ["RABBITMQ_NODENAME"] = _node,
        ["RABBITMQ_MNESIA_BASE"] = Path.Combine(_folder, "mnesia"),
        ["RABBITMQ_LOG_BASE"] = Path.Combine(_folder, "log"),
        ["RABBITMQ_NODE_IP_ADDRESS"] = "127.0.0.1",
        ["RABBITMQ_NODE_PORT"] = _ports[0].ToString(CultureInfo.InvariantCulture),
        ["RABBITMQ_DIST_PORT"] = _ports[1].ToString(CultureInfo.InvariantCulture),
        ["ERL_EPMD_PORT"] = _ports[2].ToString(CultureInfo.InvariantCulture),
        ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
        ["RABBITMQ_CONF_ENV_FILE"] = "/dev/null",
        ["RABBITMQ_ENABLED_PLUGINS_FILE"] = Path.Combine(_folder, "enabled_plugins"),
        ["RABBITMQ_CONFIG_FILE"] = Path.Combine(_folder, "rabbitmq"),
        ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2",
    };

    private Task WaitUntilItAcceptsAsync()
    {
        var factory = Factory();
        return UntilAsync(
            async () =>
            {
                try
                {
                    await using var connection = await factory.CreateConnectionAsync();
                    return true;
                }
                catch (BrokerUnreachableException)
                {
                    return false;
                }
            },
            "did not accept a connection");
    }

    private async Task UntilAsync(Func<Task<bool>> condition, string failure)
    {
        for (var clock = Stopwatch.StartNew(); !await condition();)
        {
            if (clock.Elapsed > Deadline)
            {
                var console = Path.Combine(_folder, "log", "console");
                throw new TimeoutException($"The private RabbitMQ broker {failure} in {Deadline}.\n{(File.Exists(console) ? await File.ReadAllTextAsync(console) : "")}");
            }

            await Task.Delay(50);
        }
    }
}

/// <summary>The files of a broker's TLS, in PEM.</summary>
internal sealed record RabbitMqTls(string AuthorityFile, string CertificateFile, string KeyFile);
