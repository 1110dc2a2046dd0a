using System.Globalization;

namespace BufferedMessages.Bridges;

/// <summary>The messages that a bridge could not pass on: a durable queue of raw bytes in the folder <c>dead/name</c> of its queue. It is created with the first one.</summary>
internal sealed class DeadLetters(BridgeLink link) : IDisposable
{
    private MessageQueue? _queue;
    private MessageProducer? _producer;
    private long _count;

    /// <summary>How many messages were put there by this bridge.</summary>
    public long Count => Volatile.Read(ref _count);

    private string FolderPath => Path.Combine(link.Directory, "dead", link.Name);

    /// <summary>Stores a message, with the reason and its id.</summary>
    public void Add(ReadOnlySpan<byte> payload, MessageId source, string reason, StreamOffset? offset)
    {
        _queue ??= MessageQueue.Open(FolderPath);
        _producer ??= _queue.OpenProducer();
        var properties = new MessageProperties { Time = DateTimeOffset.UtcNow, Source = source, Reason = reason };
        properties.Headers["bridge-stream"] = link.Stream;
        if (offset is { } known)
        {
            properties.Headers["bridge-offset"] = string.Create(CultureInfo.InvariantCulture, $"{known}");
        }

        _producer.Publish(payload, properties);
        Interlocked.Increment(ref _count);
        link.Logger.DeadLetter(link.Name, FolderPath, reason);
    }

    public void Dispose()
    {
        _producer?.Dispose();
        _queue?.Dispose();
    }
}
