namespace BufferedMessages.Hosting.Torture;

/// <summary>Publishes numbered messages, and holds when a handler is far from the end of the queue.</summary>
internal sealed class MessageFlood : IDisposable
{
    private const int MostInTurn = 20;
    private const long LongestLagBytes = 32 * 1024;

    private readonly MessageQueue _queue;
    private readonly MessagePublisher<NumberedMessage> _publisher;
    private readonly Random _random;
    private readonly List<int> _mischief = [];

    public MessageFlood(string directory, int seed)
    {
        _queue = MessageQueue.Open(TortureDirectory.QueueOf(directory), TortureDirectory.QueueOptions);
        _publisher = _queue.OpenPublisher<NumberedMessage>();
        _random = new Random(seed);
    }

    /// <summary>The mischief of each published message. Not while messages are being published.</summary>
    public IReadOnlyList<int> Mischief => _mischief;

    /// <summary>How many names of the queue have messages that are not committed.</summary>
    public int Unfinished => _queue.GetStatistics().Consumers.Count(static consumer => consumer.LagBytes != 0);

    /// <summary>Publishes until the token is cancelled.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            if (HasRoom())
            {
                for (var i = _random.Next(MostInTurn); i >= 0; i--)
                {
                    Publish(Mischiefs.Draw(_random));
                }
            }

            await Task.Delay(_random.Next(1, 10), CancellationToken.None);
        }
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _queue.Dispose();
    }

    private void Publish(int mischief)
    {
        _publisher.Publish(new NumberedMessage { Number = _mischief.Count, Mischief = mischief });
        _mischief.Add(mischief);
    }

    // Retention must not delete messages for handlers that have not begun.
    private bool HasRoom()
    {
        var statistics = _queue.GetStatistics();
        return statistics.Consumers.Count == HandlerNames.All.Length
            ? statistics.Consumers.All(static consumer => consumer.LagBytes < LongestLagBytes)
            : statistics.PublishedPosition < LongestLagBytes;
    }
}
