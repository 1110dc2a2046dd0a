namespace BufferedMessages;

/// <summary>
/// Looks after a pool from time to time, while there is something to look after. It holds the pool weakly and its timer rings once,
/// so that a pool nobody uses any more is collected, and an empty one costs nothing. Safe for all threads.
/// </summary>
internal sealed class PoolUpkeep
{
    private readonly TimeSpan _period;
    private readonly ITimer? _timer;
    private volatile bool _isDue;

    public PoolUpkeep(BufferStore pool, BufferPoolOptions options)
    {
        _period = options.TrimAfter;
        if (_period == Timeout.InfiniteTimeSpan)
        {
            _isDue = true;
            return;
        }

        // The timer must not keep what happens to be in the execution context of the pool's first user.
        var restore = !ExecutionContext.IsFlowSuppressed();
        var flow = restore ? ExecutionContext.SuppressFlow() : default;
        _timer = options.TimeProvider.CreateTimer(LookAfter, new WeakReference<BufferStore>(pool), Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        if (restore)
        {
            flow.Undo();
        }
    }

    /// <summary>Sees to it that the pool is looked after within the period. Cheap when that is so already.</summary>
    public void Ensure()
    {
        if (!_isDue)
        {
            Schedule();
        }
    }

    private static void LookAfter(object? state)
    {
        if (((WeakReference<BufferStore>)state!).TryGetTarget(out var pool))
        {
            pool.LookAfter();
        }
    }

    /// <summary>Ends a period. Begin the next one by <see cref="Ensure"/> if there is still something to look after.</summary>
    public void Done() => _isDue = false;

    private void Schedule()
    {
        _isDue = true;
        _timer!.Change(_period, Timeout.InfiniteTimeSpan);
    }
}
