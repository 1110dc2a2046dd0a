using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace BufferedMessages.Bridges.Torture;

/// <summary>
/// A Redis server of its own: a temporary directory, a free port of the loopback address, an append-only file. That file is written before a reply, and flushed once a second: the death of the
/// process loses nothing that was replied to, because the system has it; the death of the machine could.
/// </summary>
internal sealed class PrivateRedis : IAsyncDisposable
{
    private const string Server = "/usr/bin/redis-server";
    private const string DeathBinder = "/usr/bin/setpriv";
    private const int Attempts = 3;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly string _directory = Directory.CreateTempSubdirectory("private-redis-").FullName;
    private readonly PrivateRedisOptions _options;
    private Process? _process;

    private PrivateRedis(PrivateRedisOptions options)
    {
        _options = options;
        Port = FreePort();
        if (options.Tls)
        {
            WriteCertificates();
        }
    }

    /// <summary>Whether the server can run here.</summary>
    public static bool IsInstalled => File.Exists(Server);

    public int Port { get; }

    public string Endpoint => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Port}");

    /// <summary>The certificate of the authority that has signed the server's one.</summary>
    public string AuthorityPath => Path.Combine(_directory, "ca.crt");

    public static async Task<PrivateRedis> StartAsync(PrivateRedisOptions options = default)
    {
        for (var attempt = 1; ; attempt++)
        {
            var server = new PrivateRedis(options);
            try
            {
                await server.StartAgain();
                return server;
            }
            catch (InvalidOperationException) when (attempt < Attempts)
            {
                // Another process has taken the port since it was found free.
                await server.DisposeAsync();
            }
        }
    }

    /// <summary>Kills the process at once, with the child that may be writing a file for it, and waits for its end.</summary>
    public void Kill()
    {
        _process?.Kill(entireProcessTree: true);
        _process?.WaitForExit();
    }

    /// <summary>Lets the server write its files and end.</summary>
    public void StopGracefully()
    {
        if (_process is { HasExited: false } process)
        {
            using var kill = Process.Start("/bin/kill", ["-TERM", process.Id.ToString(CultureInfo.InvariantCulture)]);
            kill.WaitForExit();
            process.WaitForExit();
        }
    }

    /// <summary>Starts the server on the data that it has left, at the same port.</summary>
    public async Task StartAgain()
    {
        var started = new TaskCompletionSource<Process>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => Run(started)) { IsBackground = true, Name = "Redis server" }.Start();
        _process = await started.Task;
        var deadline = Stopwatch.StartNew();
        while (!await IsReadyAsync())
        {
            if (_process.HasExited || deadline.Elapsed > Patience)
            {
                throw new InvalidOperationException($"redis-server does not answer at {Endpoint}. Its log says: {Log()}");
            }

            await Task.Delay(10);
        }
    }

    public ValueTask DisposeAsync()
    {
        Kill();
        _process?.Dispose();
        DeleteDirectory();
        return ValueTask.CompletedTask;
    }

    /// <summary>The child is not ours to wait for: it may make one more file while the directory is deleted.</summary>
    private void DeleteDirectory()
    {
        var deadline = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                Directory.Delete(_directory, recursive: true);
                return;
            }
            catch (IOException) when (deadline.Elapsed < Patience)
            {
                Thread.Sleep(10);
            }
        }
    }

    /// <summary>The system kills the server when the thread that started it ends, also together with its process. So the thread lives as long as the server.</summary>
    private void Run(TaskCompletionSource<Process> started)
    {
        try
        {
            string[] arguments = File.Exists(DeathBinder) ? ["--pdeathsig", "KILL", Server, .. Arguments()] : [.. Arguments()];
            var process = Process.Start(new ProcessStartInfo(File.Exists(DeathBinder) ? DeathBinder : Server, arguments) { WorkingDirectory = _directory })!;
            started.SetResult(process);
            process.WaitForExit();
        }
        catch (Exception failure)
        {
            started.TrySetException(failure);
        }
    }

    private IEnumerable<string> Arguments()
    {
        var port = Port.ToString(CultureInfo.InvariantCulture);
        string[] common = ["--bind", "127.0.0.1", "--dir", _directory, "--logfile", "redis.log", "--save", "", "--appendonly", "yes", "--appendfsync", "everysec", "--protected-mode", "no", "--repl-diskless-sync-delay", "0"];
        string[] listener = _options.Tls
            ? ["--port", "0", "--tls-port", port, "--tls-cert-file", "server.crt", "--tls-key-file", "server.key", "--tls-ca-cert-file", "ca.crt", "--tls-auth-clients", "no"]
            : ["--port", port];
        string[] password = _options.Password is { } text ? ["--requirepass", text] : [];
        string[] replication = _options.PrimaryPort is { } other ? ["--replicaof", "127.0.0.1", other.ToString(CultureInfo.InvariantCulture)] : [];
        return [.. listener, .. common, .. password, .. replication];
    }

    /// <summary>Whether the server has its data in memory and answers; a demand for the password is an answer.</summary>
    private async Task<bool> IsReadyAsync()
    {
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, Port);
            await using var stream = _options.Tls ? await EncryptAsync(client.GetStream()) : client.GetStream();
            await stream.WriteAsync("PING\r\n"u8.ToArray());
            var reply = new byte[64];
            var bytes = await stream.ReadAsync(reply);
            return Encoding.ASCII.GetString(reply, 0, bytes) is { } text && (text.StartsWith("+PONG", StringComparison.Ordinal) || text.StartsWith("-NOAUTH", StringComparison.Ordinal));
        }
        catch (Exception failure) when (failure is SocketException or IOException)
        {
            return false;
        }
    }

    private async Task<Stream> EncryptAsync(Stream plain)
    {
        using var authority = X509CertificateLoader.LoadCertificateFromFile(AuthorityPath);
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(authority);
        var encrypted = new SslStream(plain);
        await encrypted.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = policy });
        return encrypted;
    }

    private void WriteCertificates()
    {
        var now = DateTimeOffset.UtcNow;
        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var authorityRequest = new CertificateRequest("CN=private-redis", authorityKey, HashAlgorithmName.SHA256);
        authorityRequest.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        authorityRequest.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        using var authority = authorityRequest.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        using var serverKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var serverRequest = new CertificateRequest("CN=localhost", serverKey, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        serverRequest.CertificateExtensions.Add(names.Build());
        using var server = serverRequest.Create(authority, now.AddDays(-1), now.AddDays(1), [1, 2, 3, 4]);
        File.WriteAllText(AuthorityPath, authority.ExportCertificatePem());
        File.WriteAllText(Path.Combine(_directory, "server.crt"), server.ExportCertificatePem());
        File.WriteAllText(Path.Combine(_directory, "server.key"), serverKey.ExportPkcs8PrivateKeyPem());
    }

    private string Log()
    {
        var path = Path.Combine(_directory, "redis.log");
        return File.Exists(path) ? File.ReadAllText(path) : "nothing";
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}

/// <summary>The options of a <see cref="PrivateRedis"/>.</summary>
/// <param name="Password">The password; null for none.</param>
/// <param name="Tls">Whether the port is encrypted.</param>
/// <param name="PrimaryPort">The port of the server that this one replicates; null for none.</param>
internal readonly record struct PrivateRedisOptions(string? Password = null, bool Tls = false, int? PrimaryPort = null);
