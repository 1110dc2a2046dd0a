using System.Diagnostics;
using System.Threading.Tasks.Sources;

namespace BufferedMessages.Queues;

/// <summary>The asynchronous wait of an engine, which has one at a time. One thread at a time checks it; its task completes when the check succeeds, or the wait ends.</summary>
/// <param name="ladder">The wait ladder of the engine that waits.</param>
internal sealed class AsyncWait(WaitLadder ladder) : IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _completion = new() { RunContinuationsAsynchronously = true };
    private CancellationToken _cancellationToken;
    private TimeSpan _timeout;
    private long _start;
    private bool _isFound;
    private Exception? _failure;

    public int Slot => ladder.Slot;

    /// <summary>The longest sleep that the signal allows.</summary>
    public TimeSpan LongestSleep { get; set; }

    /// <summary>Begins the next wait.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if the engine can proceed; false if the timeout has expired.</returns>
    public ValueTask<bool> Begin(TimeSpan timeout, CancellationToken cancellationToken)
    {
        _completion.Reset();
        _cancellationToken = cancellationToken;
        _timeout = timeout;
        _start = Stopwatch.GetTimestamp();
        _failure = null;
        return new ValueTask<bool>(this, _completion.Version);
    }

    /// <summary>Checks whether the wait is over.</summary>
    /// <param name="rest">If it is not over, how long the thread may sleep.</param>
    public bool TryFinish(out TimeSpan rest)
    {
        rest = TimeSpan.Zero;
        try
        {
            _isFound = ladder.IsReadyOrStopped(_cancellationToken);
            rest = _timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : _timeout - Stopwatch.GetElapsedTime(_start);
        }
        catch (Exception exception)
        {
            // Rethrown to the code that awaits the task.
            _failure = exception;
            return true;
        }

        var isOver = _isFound || rest <= TimeSpan.Zero;
        rest = RestOfTime.Shortest(rest, ladder.LongestSleep, LongestSleep);
        return isOver;
    }

    /// <summary>Completes the task of a wait that is over. The engine may begin the next one at once.</summary>
    public void Complete()
    {
        if (_failure is { } failure)
        {
            _completion.SetException(failure);
        }
        else
        {
            _completion.SetResult(_isFound);
        }
    }

    bool IValueTaskSource<bool>.GetResult(short token) => _completion.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _completion.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _completion.OnCompleted(continuation, state, token, flags);
}
