using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>Bytes, many messages at once.</summary>
internal sealed class BatchSource(MessageQueue queue, SessionOptions options) : FlowSource
{
    public const int MessagesPerBatch = 32;

    private readonly MessageProducer _producer = queue.OpenProducer();
    private readonly byte[] _payload = new byte[options.PayloadBytes];

    public override void Publish(long first, int messages)
    {
        for (var sent = 0; sent < messages; sent += MessagesPerBatch)
        {
            PublishBatch(first + sent, Math.Min(MessagesPerBatch, messages - sent));
        }
    }

    public override void Dispose() => _producer.Dispose();

    private void PublishBatch(long first, int messages)
    {
        var payload = _payload.AsSpan();
        using var batch = _producer.ClaimBatch(messages * options.RecordBytes);
        for (var i = 0; i < messages; i++)
        {
            MemoryMarshal.Write(payload, first + i);
            batch.TryAdd(payload);
        }

        batch.Publish();
    }
}
