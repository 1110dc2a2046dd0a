namespace BufferedMessages.Tool.Tests;

/// <summary>A bounded queue at full speed until the end.</summary>
internal sealed class BusyQueue : IAsyncDisposable
{
    private const int MessagesBetweenSeeks = 1000;

    private readonly CancellationTokenSource _end = new();
    private readonly MessageQueue _queue;
    private readonly Task _publishing;

    public BusyQueue(string path)
    {
        _queue = MessageQueue.Open(path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 1 << 20 });
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
        Span<byte> message = stackalloc byte[100];
        while (!_end.IsCancellationRequested)
        {
            for (var i = 0; i < MessagesBetweenSeeks; i++)
            {
                producer.Publish(message);
            }

            consumer.Seek(QueueStart.Latest);
        }
    }
}
