using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Sessions;

/// <summary>A second process of this program. The two talk in lines over the standard streams.</summary>
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

    /// <summary>In the peer: says a line to the session.</summary>
    public static void Say(params ReadOnlySpan<long> figures) =>
        Console.Out.WriteLine(string.Join(' ', figures.ToArray().Select(figure => figure.ToString(CultureInfo.InvariantCulture))));

    /// <summary>In the peer: waits until the session says to go on.</summary>
    public static void AwaitGo() => Console.In.ReadLine();

    /// <summary>Lets the peer go on.</summary>
    public void Go() => _process.StandardInput.WriteLine();

    /// <summary>Waits for the peer's next line.</summary>
    public long[] Hear()
    {
        var line = _process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("A process of the session ended early; its error stands above.");
        return [.. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(figure => long.Parse(figure, CultureInfo.InvariantCulture))];
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
