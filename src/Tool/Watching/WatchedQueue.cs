namespace BufferedMessages.Tool;

/// <summary>A queue that is sampled again and again. It is opened anew after a failure, since it may have been deleted and made again. Serves one thread at a time.</summary>
/// <param name="path">The folder of the queue.</param>
internal sealed class WatchedQueue(string path) : IDisposable
{
    private MessageQueue? _queue;
    private QueueMeter? _meter;

    /// <summary>Gets the folder of the queue.</summary>
    public string Path { get; } = path;

    /// <summary>Gets the name of its folder.</summary>
    public string Name { get; } = System.IO.Path.GetFileName(path);

    /// <summary>Gets the last sample; null if there is none.</summary>
    public QueueRates? Rates { get; private set; }

    /// <summary>Gets the reason why the last sample failed; null if it did not.</summary>
    public string? Failure { get; private set; }

    /// <summary>Gets the messages a second of the last minute.</summary>
    public RateHistory History { get; } = new();

    /// <summary>Gets the largest lag of its names, in bytes.</summary>
    public long LargestLag => Rates?.Statistics.Consumers.Select(static name => name.LagBytes).DefaultIfEmpty().Max() ?? 0;

    /// <summary>Gets the age of the oldest message that a name has not read.</summary>
    public TimeSpan OldestAge => Rates?.Statistics.Consumers.Select(static name => name.OldestUnreadAge ?? TimeSpan.Zero).DefaultIfEmpty().Max() ?? TimeSpan.Zero;

    /// <summary>Takes a sample.</summary>
    public void Sample(TimeSpan time)
    {
        try
        {
            if (_meter is null)
            {
                _queue = MessageQueue.OpenReadOnly(Path);
                _meter = new QueueMeter(_queue);
                Rates = _meter.WithoutRates();
            }
            else
            {
                Rates = _meter.Sample();
                History.Add(time, Rates.Messages);
            }

            Failure = null;
        }
        catch (Exception exception) when (IsOfQueue(exception))
        {
            Failure = exception.Message;
            Dispose();
        }
    }

    /// <summary>Reads the last messages, as lines that a terminal can show.</summary>
    /// <param name="count">The largest number of messages.</param>
    /// <param name="call">The command.</param>
    public IReadOnlyList<(string Position, string Text)> ReadLast(int count, Call call)
    {
        if (_queue is not { } queue)
        {
            return [];
        }

        try
        {
            return LastMessages.Read(queue, count, call);
        }
        catch (Exception exception) when (IsOfQueue(exception) || exception is ToolException)
        {
            return [("", TerminalText.Escape(exception.Message))];
        }
    }

    public void Dispose()
    {
        _meter?.Dispose();
        _queue?.Dispose();
        (_meter, _queue) = (null, null);
    }

    private static bool IsOfQueue(Exception exception) =>
        exception is QueueCorruptedException or StaleQueueException or MessagesDeletedException or IOException or UnauthorizedAccessException or NotSupportedException or ObjectDisposedException;
}
