using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>A producer's repeated asynchronous wait for room, within one timeout: other producers may take the room first.</summary>
internal readonly struct RoomWait
{
    private readonly LogWriter _writer;
    private readonly TimeSpan _timeout;
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    public RoomWait(LogWriter writer, TimeSpan timeout)
    {
        WaitLadder.RequireTimeout(timeout);
        _writer = writer;
        _timeout = timeout;
    }

    /// <summary>Waits until there may be room.</summary>
    /// <exception cref="TimeoutException">The timeout has expired.</exception>
    public async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        var rest = _timeout;
        if (_timeout > TimeSpan.Zero)
        {
            rest -= Stopwatch.GetElapsedTime(_start);
            rest = rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
        }

        if (!await _writer.WaitForRoomAsync(rest, cancellationToken).ConfigureAwait(false))
        {
            throw new TimeoutException($"The queue stayed full for {_timeout}. Nothing was published.");
        }
    }
}
