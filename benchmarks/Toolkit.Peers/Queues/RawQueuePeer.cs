using System.Reflection;
using System.Runtime.InteropServices;

namespace BufferedMessages.Peers;

/// <summary>A queue of this project, with raw messages.</summary>
internal sealed class RawQueuePeer(QueueMode mode) : IQueuePeer
{
    private const string Consumer = "peer";

    public string Name => $"BufferedMessages, {RunnerCommand.Word(mode)}";

    public Assembly Library => typeof(MessageQueue).Assembly;

    public void Create(string directory) => MessageQueue.Open(directory, new MessageQueueOptions { Mode = mode, Producers = ProducerMode.Single }).Dispose();

    public IQueueWriter OpenWriter(string directory) => new Writer(MessageQueue.Open(directory));

    public IQueueReader OpenReader(string directory) => new Reader(MessageQueue.Open(directory));

    private sealed class Writer(MessageQueue queue) : IQueueWriter
    {
        private readonly MessageProducer _producer = queue.OpenProducer();

        public void Send(ReadOnlySpan<byte> message) => _producer.Publish(message);

        public void Dispose()
        {
            _producer.Dispose();
            queue.Dispose();
        }
    }

    private sealed class Reader(MessageQueue queue) : IQueueReader
    {
        private readonly MessageConsumer<RawMessage> _consumer = queue.OpenConsumer<RawMessage>(Consumer);

        public long Receive()
        {
            _consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
            var number = MemoryMarshal.Read<long>(delivery.Message.Bytes);
            delivery.Commit();
            return number;
        }

        public void Dispose()
        {
            _consumer.Dispose();
            queue.Dispose();
        }
    }
}
