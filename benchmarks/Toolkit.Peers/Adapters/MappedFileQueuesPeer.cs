using System;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Peers;
using MappedFileQueues;

namespace Toolkit.Peers.Adapters;

internal sealed class MappedFileQueuesPeer : IQueuePeer
{
    private const long SegmentBytes = 64 * 1024 * 1024;

    // By default it is a second: once both ends have waited that long, each round trip takes one.
    private static readonly TimeSpan Retry = TimeSpan.FromMilliseconds(1);

    public string Name => "MappedFileQueues";

    public Assembly Library => typeof(MappedFileQueue).Assembly;

    public IQueueWriter OpenWriter(string directory) => new Writer(Open(directory));

    public IQueueReader OpenReader(string directory) => new Reader(Open(directory));

    private static MappedFileQueue<Message> Open(string directory) =>
        MappedFileQueue.Create<Message>(new MappedFileQueueOptions { StorePath = directory, SegmentSize = SegmentBytes, ConsumerRetryInterval = Retry });

    [InlineArray(QueueMeasurement.MessageBytes / sizeof(long))]
    private struct Message
    {
        private long _number;
    }

    private sealed class Writer(MappedFileQueue<Message> queue) : IQueueWriter
    {
        private readonly IMappedFileProducer<Message> _producer = queue.Producer;

        public void Send(ReadOnlySpan<byte> message)
        {
            var value = MemoryMarshal.Read<Message>(message);
            _producer.Produce(ref value);
        }

        public void Dispose() => queue.Dispose();
    }

    private sealed class Reader(MappedFileQueue<Message> queue) : IQueueReader
    {
        private readonly IMappedFileConsumer<Message> _consumer = queue.Consumer;

        public long Receive()
        {
            _consumer.Consume(out var message);
            _consumer.Commit();
            return message[0];
        }

        public void Dispose() => queue.Dispose();
    }
}
