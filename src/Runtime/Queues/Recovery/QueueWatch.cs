namespace BufferedMessages.Queues;

/// <summary>
/// The watch over the files of all queues that this process takes part in. Twice a second, it checks whether the files were deleted, replaced or truncated, and if so closes the
/// engines of the queue, so that their next use, or the wait they are in, ends in a <see cref="StaleQueueException"/>. Engines are held weakly. Thread-safe.
/// </summary>
internal static class QueueWatch
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);
    private static readonly Lock Gate = new();
    private static readonly List<Watched> All = [];
    private static Timer? _timer;

    /// <summary>
    /// Starts the timer, unless it is running. Called before an engine is opened: the first timer of a process needs a thread, and an engine that cannot be watched would stay open.
    /// </summary>
    /// <exception cref="OutOfMemoryException">The system has no room for another thread.</exception>
    public static void Prepare()
    {
        lock (Gate)
        {
            StartTimer();
        }
    }

    /// <summary>Begins to watch the queue of an engine.</summary>
    public static void Add(QueueHandle queue, IGatedOwner engine)
    {
        lock (Gate)
        {
            All.Add(new Watched(queue, new WeakReference<IGatedOwner>(engine)));
            StartTimer();
        }
    }

    private static void StartTimer() => _timer ??= new Timer(static _ => Look(), state: null, Interval, Interval);

    private static void Look()
    {
        Watched[] watched;
        lock (Gate)
        {
            All.RemoveAll(static one => !one.Engine.TryGetTarget(out var engine) || engine.IsDisposed);
            if (All.Count == 0)
            {
                _timer?.Dispose();
                _timer = null;
                return;
            }

            watched = [.. All];
        }

        foreach (var queue in watched.GroupBy(static one => one.Queue))
        {
            if (queue.Key.IsLost())
            {
                foreach (var one in queue)
                {
                    Close(one);
                }

                queue.Key.Events.Tell();
            }
        }
    }

    private static void Close(Watched watched)
    {
        if (watched.Engine.TryGetTarget(out var engine))
        {
            try
            {
                engine.Dispose();
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // It needs files that no longer exist. Its next use reports the loss.
            }
        }
    }

    // It is a class: the framework's lists of classes are precompiled, while a process compiles those of each struct itself.
    private sealed record Watched(QueueHandle Queue, WeakReference<IGatedOwner> Engine);
}
