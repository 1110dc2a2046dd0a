namespace BufferedMessages;

/// <summary>
/// The periodic upkeep of a pool, while it has free buffers. It holds the pool weakly and its timer rings once,
/// so that an unused pool is collected, and an empty one costs nothing. Thread-safe.
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

        // The timer must not keep the execution context of the pool's first user alive.
        var restore = !ExecutionContext.IsFlowSuppressed();
        var flow = restore ? ExecutionContext.SuppressFlow() : default;
        _timer = options.TimeProvider.CreateTimer(LookAfter, new WeakReference<BufferStore>(pool), Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        if (restore)
        {
            flow.Undo();
        }
    }

    /// <summary>Ensures that the upkeep runs within the period. Cheap if that is so already.</summary>
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

    /// <summary>Ends a period. <see cref="Ensure"/> begins the next one if there is still something to do.</summary>
    public void Done() => _isDue = false;

    private void Schedule()
    {
        _isDue = true;
        _timer!.Change(_period, Timeout.InfiniteTimeSpan);
    }
}
