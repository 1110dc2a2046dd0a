using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>Bytes, one message at a time.</summary>
internal sealed class BytesSource(MessageQueue queue, SessionOptions options) : FlowSource
{
    private readonly MessageProducer _producer = queue.OpenProducer();
    private readonly byte[] _payload = new byte[options.PayloadBytes];

    public override void Publish(long first, int messages)
    {
        var payload = _payload.AsSpan();
        for (var i = 0; i < messages; i++)
        {
            MemoryMarshal.Write(payload, first + i);
            _producer.Publish(payload);
        }
    }

    public override void Dispose() => _producer.Dispose();
}

/// <summary>Reads bytes. The cursor of an exclusive consumer is stored once for a number of messages.</summary>
internal sealed class BytesSink(MessageQueue queue, SessionOptions options, int messagesPerCommit = 1) : FlowSink
{
    private readonly MessageConsumer<RawMessage> _consumer = Open<RawMessage>(queue, options, messagesPerCommit);

    public override long Read(int messages)
    {
        var sum = 0L;
        foreach (var delivery in _consumer.ReadAll())
        {
            sum += MemoryMarshal.Read<long>(delivery.Message.Bytes);
            if (--messages == 0)
            {
                break;
            }
        }

        CommitLast(_consumer);
        return sum;
    }

    public override void Skip() => _consumer.Seek(QueueStart.Latest);

    public override void Dispose() => _consumer.Dispose();
}
