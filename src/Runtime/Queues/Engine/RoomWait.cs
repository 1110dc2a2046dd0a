using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>A producer's repeated asynchronous wait for room, within one timeout: others may take the room before it comes to it.</summary>
internal readonly struct RoomWait(LogWriter writer, TimeSpan timeout)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Waits until there may be room; false when the time is over.</summary>
    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken)
    {
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return writer.WaitAsync(timeout, cancellationToken);
        }

        var rest = timeout - Stopwatch.GetElapsedTime(_start);
        return rest > TimeSpan.Zero ? writer.WaitAsync(rest, cancellationToken) : ValueTask.FromResult(false);
    }
}
