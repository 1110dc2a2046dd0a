using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>Another process of this program, which serves the session. The two talk in lines of numbers over the standard streams.</summary>
internal sealed class PeerProcess : IDisposable
{
    /// <summary>The first number of an order to measure a queue.</summary>
    public const long QueueOrder = 1;

    /// <summary>The first number of an order to measure the floor.</summary>
    public const long FloorOrder = 2;

    private static readonly Lock All = new();
    private static readonly List<PeerProcess> Running = [];
    private static PeerProcess? _firstEnded;

    private readonly string _role;
    private readonly Process _process;

    private PeerProcess(string role, Process process)
    {
        _role = role;
        _process = process;
    }

    public static PeerProcess Start(string role, SessionOptions options)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet")
        {
            start.ArgumentList.Add(typeof(PeerProcess).Assembly.Location);
        }

        start.ArgumentList.Add(role);
        foreach (var argument in options.ToArguments())
        {
            start.ArgumentList.Add(argument);
        }

        var peer = new PeerProcess(role, Process.Start(start)!);
        lock (All)
        {
            Running.Add(peer);
        }

        peer._process.Exited += (_, _) => peer.EndOthersIfFailed();
        peer._process.EnableRaisingEvents = true;
        return peer;
    }

    /// <summary>In the peer: keeps its main thread on a processor, if the options ask for that and the system can.</summary>
    /// <param name="options">The options of the session.</param>
    /// <param name="side">The number of the side; each has another one of the processors that it may use, where there are two.</param>
    public static void Pin(SessionOptions options, int side)
    {
        if (options.IsPinned && (OperatingSystem.IsLinux() || OperatingSystem.IsWindows()))
        {
            using var own = Process.GetCurrentProcess();
            var processors = (nuint)own.ProcessorAffinity;
            for (side %= BitOperations.PopCount(processors); side > 0; side--)
            {
                processors &= processors - 1;
            }

            own.ProcessorAffinity = (nint)(processors & (~processors + 1));
        }
    }

    /// <summary>In the peer: answers the session.</summary>
    public static void Answer(params ReadOnlySpan<long> figures) => Console.Out.WriteLine(Line(figures));

    /// <summary>In the peer: waits for the session's next order.</summary>
    /// <returns>False when the session is over.</returns>
    public static bool TryHearOrder([NotNullWhen(true)] out long[]? order)
    {
        order = Console.In.ReadLine() is { } line ? Numbers(line) : null;
        return order is not null;
    }

    /// <summary>In the peer: waits until the session says to go on. A peer without its session ends: it would wait for the others for ever.</summary>
    public static void AwaitGo()
    {
        if (Console.In.ReadLine() is null)
        {
            Environment.Exit(RunnerCommand.Stopped);
        }
    }

    /// <summary>Gives the peer an order, or lets it go on.</summary>
    /// <exception cref="PeerEndedException">A peer of the session is gone.</exception>
    public void Order(params ReadOnlySpan<long> order)
    {
        try
        {
            _process.StandardInput.WriteLine(Line(order));
        }
        catch (IOException)
        {
            throw Ended();
        }
    }

    /// <summary>Waits for the peer's next answer.</summary>
    /// <exception cref="PeerEndedException">A peer of the session is gone.</exception>
    public long[] Hear()
    {
        RunnerCommand.Stopping.ThrowIfCancellationRequested();
        return Numbers(_process.StandardOutput.ReadLine() ?? throw Ended());
    }

    public void Dispose()
    {
        lock (All)
        {
            Running.Remove(this);
        }

        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    // The others may wait for a process that failed, and the session for them. One that did its part may end before them.
    private void EndOthersIfFailed()
    {
        lock (All)
        {
            if (!Running.Remove(this) || _process.ExitCode == 0)
            {
                return;
            }

            _firstEnded ??= this;
            Running.ForEach(static peer => peer._process.Kill());
        }
    }

    private PeerEndedException Ended()
    {
        PeerProcess cause;
        lock (All)
        {
            cause = _firstEnded ?? this;
        }

        cause._process.WaitForExit();
        return new PeerEndedException($"The process '{cause._role}' of the session ended early, with exit code {cause._process.ExitCode}. If it printed an error, that is above.");
    }

    private static string Line(ReadOnlySpan<long> figures) =>
        string.Join(' ', figures.ToArray().Select(figure => figure.ToString(CultureInfo.InvariantCulture)));

    private static long[] Numbers(string line) =>
        [.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(figure => long.Parse(figure, CultureInfo.InvariantCulture))];
}
