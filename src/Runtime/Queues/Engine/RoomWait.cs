using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>A producer's repeated asynchronous wait for room, within one timeout: other producers may take the room first.</summary>
internal readonly struct RoomWait(LogWriter writer, TimeSpan timeout)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Waits until there may be room.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <exception cref="TimeoutException">The time is over.</exception>
    public async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        var rest = timeout;
        if (timeout > TimeSpan.Zero)
        {
            rest -= Stopwatch.GetElapsedTime(_start);
            rest = rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
        }

        if (!await writer.WaitForRoomAsync(rest, cancellationToken).ConfigureAwait(false))
        {
            throw new TimeoutException($"The queue stayed full for {timeout}. Nothing was published.");
        }
    }
}
