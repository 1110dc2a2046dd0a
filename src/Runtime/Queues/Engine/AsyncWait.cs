using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>One asynchronous wait. The waiting thread looks for it; its task completes when the look succeeds, or the wait ends.</summary>
/// <param name="ladder">Of the engine that waits.</param>
/// <param name="timeout">How long.</param>
/// <param name="cancellationToken">Ends the wait.</param>
internal sealed class AsyncWait(WaitLadder ladder, TimeSpan timeout, CancellationToken cancellationToken)
{
    private readonly TaskCompletionSource<bool> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _start = Stopwatch.GetTimestamp();
    private bool _isOver;
    private bool _isFound;
    private Exception? _failure;

    public int Slot => ladder.Slot;

    /// <summary>True when there is what was waited for; false when the time is over.</summary>
    public Task<bool> Task => _completion.Task;

    /// <summary>Looks whether the wait is over.</summary>
    /// <param name="rest">How long the thread may sleep otherwise.</param>
    public bool TryFinish(out TimeSpan rest)
    {
        rest = TimeSpan.Zero;
        try
        {
            _isFound = ladder.IsReadyOrStopped(cancellationToken);
            rest = timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout - Stopwatch.GetElapsedTime(_start);
            _isOver = _isFound || rest <= TimeSpan.Zero;
        }
        catch (Exception exception)
        {
            // Goes to whoever awaits the task.
            _failure = exception;
            _isOver = true;
        }

        rest = rest < ladder.LongestSleep ? rest : ladder.LongestSleep;
        return _isOver;
    }

    /// <summary>Completes the task when the wait is over.</summary>
    public void Complete()
    {
        if (!_isOver)
        {
            return;
        }

        switch (_failure)
        {
            case null:
                _completion.SetResult(_isFound);
                break;
            case OperationCanceledException:
                _completion.SetCanceled(cancellationToken);
                break;
            default:
                _completion.SetException(_failure);
                break;
        }
    }
}
