using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>One asynchronous wait. The waiting thread checks it; its task completes when the check succeeds, or the wait ends.</summary>
/// <param name="ladder">The wait ladder of the engine that waits.</param>
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

    /// <summary>True if the engine can proceed; false if the time is over.</summary>
    public Task<bool> Task => _completion.Task;

    /// <summary>Checks whether the wait is over.</summary>
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
            // Rethrown to the code that awaits the task.
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
