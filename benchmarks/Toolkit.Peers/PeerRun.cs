using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace BufferedMessages.Peers;

/// <summary>Measures all peers in one run.</summary>
internal sealed class PeerRun(string? folder, string directory, TextWriter output)
{
    public const string AnswerPart = "answer";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };

    /// <summary>In the other process of a queue.</summary>
    public static int Answer(string name, string directory, string folder)
    {
        var peer = Queues().FirstOrDefault(peer => peer.Name == name) ?? (IQueuePeer)AdapterCompiler.Load(Adapter.All.Single(adapter => adapter.Name == name), folder)!;
        QueueMeasurement.Answer(peer, directory);
        return 0;
    }

    public void Run(IReadOnlyList<string> workloads, string? jsonFile, string command)
    {
        var loaded = Load();
        var figures = new List<PeerFigure>();
        Add("messages", () => MessageWorkload.RunMessages(loaded.OfType<IMessagePeer>()));
        Add("streams", MessageWorkload.RunStreams);
        foreach (var peer in Queues().Concat(loaded.OfType<IQueuePeer>()))
        {
            Add(peer.IsWithinProcess ? "channels" : "queues", () => [MeasureQueue(peer)]);
        }

        Add("caches", () => CacheWorkload.Run(directory, loaded.OfType<ICachePeer>()));
        if (jsonFile is not null)
        {
            File.WriteAllText(jsonFile, JsonSerializer.Serialize(new { command, commit = Machine.Commit(), machine = Machine.Name(), results = figures }, Format) + "\n");
        }

        void Add(string workload, Func<IReadOnlyList<PeerFigure>> run)
        {
            if (workloads.Count == 0 || workloads.Contains(workload))
            {
                var part = run();
                Show(part);
                figures.AddRange(part);
            }
        }
    }

    private static IEnumerable<IQueuePeer> Queues()
    {
        yield return new RawQueuePeer(QueueMode.Bounded);
        yield return new RawQueuePeer(QueueMode.Durable);
        yield return new ChannelPeer();
        if (!OperatingSystem.IsWindows())
        {
            yield return new StreamPeer(isPipe: true);
            yield return new StreamPeer(isPipe: false);
        }
    }

    private List<IPeer> Load()
    {
        var peers = new List<IPeer>();
        foreach (var adapter in Adapter.All)
        {
            if (folder is not null && AdapterCompiler.Load(adapter, folder) is { } peer)
            {
                peers.Add(peer);
            }
            else
            {
                output.WriteLine($"{adapter.Name} is not measured: --assemblies names no folder with {string.Join(" and ", adapter.Files)}.");
            }
        }

        return peers;
    }

    private PeerFigure MeasureQueue(IQueuePeer peer)
    {
        // Short: a socket's path has room for some hundred characters.
        var place = Directory.CreateDirectory(Path.Combine(directory, Path.GetRandomFileName())).FullName;
        try
        {
            return QueueMeasurement.Run(peer, place, () => peer.IsWithinProcess ? new OtherThread(peer, place) : new OtherProcess(peer.Name, place, folder ?? "", directory));
        }
        finally
        {
            Directory.Delete(place, recursive: true);
        }
    }

    private void Show(IReadOnlyList<PeerFigure> figures)
    {
        foreach (var figure in figures)
        {
            var text = figure switch
            {
                { Median: { } median } => string.Create(CultureInfo.InvariantCulture, $"{median,12:N1} ns"),
                { RoundTripP50: { } p50 } => string.Create(CultureInfo.InvariantCulture, $"{figure.PerSecond,12:N0} a second, round trip p50 {p50,8:N0} ns, p99 {figure.RoundTripP99,9:N0} ns"),
                _ => string.Create(CultureInfo.InvariantCulture, $"{figure.PerSecond,12:N0} a second"),
            };
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{figure.Workload,-24}{figure.Library,-26}{text}, {figure.AllocatedBytes:N1} B allocated  ({figure.Version})"));
        }
    }

    private sealed class OtherThread : IDisposable
    {
        private readonly Thread _thread;

        public OtherThread(IQueuePeer peer, string directory)
        {
            _thread = new Thread(() => QueueMeasurement.Answer(peer, directory)) { IsBackground = true };
            _thread.Start();
        }

        // After a stop or a failure no message tells it to end, and it waits for one.
        public void Dispose()
        {
            if (!RunnerCommand.Stopping.IsCancellationRequested)
            {
                _thread.Join(Patience);
            }
        }
    }

    private sealed class OtherProcess : IDisposable
    {
        private readonly Process _process;
        private readonly string _files;
        private volatile bool _isOver;

        public OtherProcess(string name, string directory, string folder, string files)
        {
            _files = files;
            var program = Environment.ProcessPath!;
            string[] host = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [typeof(OtherProcess).Assembly.Location] : [];
            _process = Process.Start(new ProcessStartInfo(program, [.. host, AnswerPart, name, directory, folder]) { UseShellExecute = false, RedirectStandardInput = true })!;
            _ = EndWithAsync();
        }

        public void Dispose()
        {
            _isOver = true;
            if (RunnerCommand.Stopping.IsCancellationRequested || !_process.WaitForExit(Patience))
            {
                _process.Kill();
                _process.WaitForExit();
            }

            _process.Dispose();
        }

        // A queue that waits for a message of a process that has failed would wait for ever.
        private async Task EndWithAsync()
        {
            await _process.WaitForExitAsync();
            if (!_isOver)
            {
                await Console.Error.WriteLineAsync("The other process has failed; its error is printed above.");
                try
                {
                    Directory.Delete(_files, recursive: true);
                }
                finally
                {
                    // Also if this process has just made another file there.
                    Environment.Exit(1);
                }
            }
        }
    }
}
