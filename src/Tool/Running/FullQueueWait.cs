namespace BufferedMessages.Tool;

/// <summary>The wait of a command for room in a full queue, with growing pauses. It says that it waits, and Ctrl-C ends it.</summary>
internal sealed class FullQueueWait(Call call)
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan QuietWait = TimeSpan.FromSeconds(5);

    private TimeSpan _pause = FirstPause;
    private TimeSpan _waited;

    /// <summary>Pauses before the next look for room.</summary>
    /// <exception cref="OperationCanceledException">The command is interrupted.</exception>
    public void Pause()
    {
        call.Token.WaitHandle.WaitOne(_pause);
        call.Token.ThrowIfCancellationRequested();
        if (_waited < QuietWait && _waited + _pause >= QuietWait)
        {
            call.Remark("The queue is full. Waiting for its consumers to read.");
        }

        _waited += _pause;
        _pause = _pause < LongestPause ? 2 * _pause : LongestPause;
    }

    /// <summary>Begins anew, after there was room.</summary>
    public void End() => (_pause, _waited) = (FirstPause, TimeSpan.Zero);
}
