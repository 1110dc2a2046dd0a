namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>A clock whose timers ring when the test says so.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly List<ManualTimer> _timers = [];

    /// <summary>The number of timers that are set.</summary>
    public int Set => _timers.Count(timer => timer.IsSet);

    /// <summary>Rings all timers that are set.</summary>
    public void Ring()
    {
        foreach (var timer in _timers.Where(timer => timer.IsSet).ToList())
        {
            timer.Ring();
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(callback, state);
        timer.Change(dueTime, period);
        _timers.Add(timer);
        return timer;
    }

    private sealed class ManualTimer(TimerCallback callback, object? state) : ITimer
    {
        public bool IsSet { get; private set; }

        public void Ring()
        {
            IsSet = false;
            callback(state);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            IsSet = dueTime != Timeout.InfiniteTimeSpan;
            return true;
        }

        public void Dispose() => IsSet = false;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
