using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>The times of a replay. It begins at the first message that has a time. Serves one thread at a time.</summary>
/// <param name="speed">The speed.</param>
/// <param name="token">Ends a wait.</param>
internal sealed class ReplayClock(ReplaySpeed speed, CancellationToken token)
{
    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);

    private DateTimeOffset? _first;
    private DateTimeOffset _begin;
    private long _beginStamp;

    /// <summary>Waits until a message is due.</summary>
    /// <param name="time">The time of the message.</param>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    public void Await(DateTimeOffset time)
    {
        Begin(time);
        if (speed.Factor is not { } factor)
        {
            return;
        }

        // A slow replay may take longer than a span of time can say.
        var due = (time - _first!.Value).TotalSeconds / factor;
        while (due - Stopwatch.GetElapsedTime(_beginStamp).TotalSeconds is var rest && rest > 0)
        {
            token.WaitHandle.WaitOne(TimeSpan.FromSeconds(Math.Min(rest, LongestWait.TotalSeconds)));
            token.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Returns the new time of a message: the beginning of the replay for the first one; the others keep their distance from it.</summary>
    public DateTimeOffset Map(DateTimeOffset time)
    {
        Begin(time);
        return _begin + (time - _first!.Value);
    }

    private void Begin(DateTimeOffset time)
    {
        if (_first is null)
        {
            _first = time;
            _begin = DateTimeOffset.UtcNow;
            _beginStamp = Stopwatch.GetTimestamp();
        }
    }
}
