using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>A line on a terminal that tells how far long work is. On other outputs it is silent. Thread-safe.</summary>
/// <param name="call">The command.</param>
/// <param name="verb">The participle of the work: "verified".</param>
/// <param name="totalBytes">The bytes of the whole work; 0 if that is not known.</param>
internal sealed class ProgressLine(Call call, string verb, long totalBytes) : IDisposable
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly bool _isShown = call.Console.HasCursor && !call.IsJson && !Console.IsErrorRedirected;
    private readonly Lock _lock = new();
    private readonly long _start = Stopwatch.GetTimestamp();
    private TimeSpan _next = FirstPause;
    private long _done;
    private bool _isWritten;
    private bool _isClosed;

    /// <summary>Counts bytes that are done.</summary>
    public void Add(long bytes)
    {
        var done = Interlocked.Add(ref _done, bytes);
        if (!_isShown)
        {
            return;
        }

        lock (_lock)
        {
            var time = Stopwatch.GetElapsedTime(_start);
            if (time >= _next && !_isClosed)
            {
                _next = time + Pause;
                _isWritten = true;
                var share = totalBytes > 0 ? string.Create(CultureInfo.InvariantCulture, $"{Math.Min(100.0 * done / totalBytes, 100):0} %, ") : "";
                call.Console.Error.Write($"{TerminalLines.Cut}{TerminalLines.Erase}{share}{Quantity.Bytes(done)} {verb}, {Quantity.Bytes(done / time.TotalSeconds)}/s{TerminalLines.Wrap}");
                call.Console.Error.Flush();
            }
        }
    }

    /// <summary>Removes the line.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isClosed = true;
            if (_isWritten)
            {
                _isWritten = false;
                call.Console.Error.Write(TerminalLines.Erase);
                call.Console.Error.Flush();
            }
        }
    }
}
