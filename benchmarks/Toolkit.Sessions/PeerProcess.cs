using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>Another process of this program, which serves the session. The two talk in lines of numbers over the standard streams.</summary>
internal sealed class PeerProcess : IDisposable
{
    private readonly Process _process;

    private PeerProcess(Process process) => _process = process;

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

        return new PeerProcess(Process.Start(start)!);
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

    /// <summary>In the peer: waits until the session says to go on.</summary>
    public static void AwaitGo() => Console.In.ReadLine();

    /// <summary>Gives the peer an order, or lets it go on.</summary>
    public void Order(params ReadOnlySpan<long> order) => _process.StandardInput.WriteLine(Line(order));

    /// <summary>Waits for the peer's next answer.</summary>
    public long[] Hear()
    {
        RunnerCommand.Stopping.ThrowIfCancellationRequested();
        return Numbers(_process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("A process of the session ended early; its error stands above."));
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static string Line(ReadOnlySpan<long> figures) =>
        string.Join(' ', figures.ToArray().Select(figure => figure.ToString(CultureInfo.InvariantCulture)));

    private static long[] Numbers(string line) =>
        [.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(figure => long.Parse(figure, CultureInfo.InvariantCulture))];
}
