using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>A producer's repeated asynchronous wait for room, within one timeout: others may take the room before it comes to it.</summary>
internal readonly struct RoomWait(LogWriter writer, TimeSpan timeout)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Waits until there may be room; false when the time is over.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken)
    {
        if (timeout <= TimeSpan.Zero)
        {
            return writer.WaitForRoomAsync(timeout, cancellationToken);
        }

        var rest = timeout - Stopwatch.GetElapsedTime(_start);
        return writer.WaitForRoomAsync(rest > TimeSpan.Zero ? rest : TimeSpan.Zero, cancellationToken);
    }
}
