namespace BufferedMessages.Tool.Tests;

/// <summary>A bounded queue at full speed until the end.</summary>
internal sealed class BusyQueue : IAsyncDisposable
{
    private const long BytesBetweenSeeks = 50_000;

    private readonly CancellationTokenSource _end = new();
    private readonly MessageQueue _queue;
    private readonly byte[] _message;
    private readonly Task _publishing;

    /// <param name="path">The queue.</param>
    /// <param name="messageBytes">The length of each message.</param>
    /// <param name="segmentBytes">The length of a segment: messages are overwritten after a few of them.</param>
    /// <param name="slots">The number of segments.</param>
    public BusyQueue(string path, int messageBytes = 100, int segmentBytes = 1 << 20, int slots = 8)
    {
        _queue = MessageQueue.Open(path, new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Multiple, SegmentBytes = segmentBytes, Slots = slots });
        _message = new byte[messageBytes];
        _publishing = Task.Run(Publish);
    }

    public string Path => _queue.Path;

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _publishing;
        _queue.Dispose();
        _end.Dispose();
    }

    // Without a name that moves on, the producer of a bounded queue would wait when it is full.
    private void Publish()
    {
        using var consumer = _queue.OpenConsumer<RawMessage>("chart");
        using var producer = _queue.OpenProducer();
        while (!_end.IsCancellationRequested)
        {
            for (var bytes = 0L; bytes < BytesBetweenSeeks; bytes += _message.Length)
            {
                producer.Publish(_message);
            }

            consumer.Seek(QueueStart.Latest);
        }
    }
}
