using System;
using System.Reflection;
using System.Runtime.InteropServices;
using BufferedMessages.Peers;
using MappedFileQueues.Stream;

namespace Toolkit.Peers.Adapters;

internal sealed class MappedFileQueuesStreamPeer : IQueuePeer
{
    private const long SegmentBytes = 64 * 1024 * 1024;

    // By default it is a second: once both ends have waited that long, each round trip takes one.
    private static readonly TimeSpan Retry = TimeSpan.FromMilliseconds(1);

    public string Name => "MappedFileQueues.Stream";

    public Assembly Library => typeof(MappedFileQueue).Assembly;

    public IQueueWriter OpenWriter(string directory) => new Writer(Open(directory));

    public IQueueReader OpenReader(string directory) => new Reader(Open(directory));

    private static MappedFileQueue Open(string directory) => MappedFileQueue.Create(new MappedFileQueueOptions { StorePath = directory, SegmentSize = SegmentBytes, ConsumerRetryInterval = Retry });

    private sealed class Writer(MappedFileQueue queue) : IQueueWriter
    {
        private readonly IMappedFileProducer _producer = queue.Producer;

        public void Send(ReadOnlySpan<byte> message) => _producer.Produce(message);

        public void Dispose() => queue.Dispose();
    }

    private sealed class Reader(MappedFileQueue queue) : IQueueReader
    {
        private readonly IMappedFileConsumer _consumer = queue.Consumer;

        public long Receive()
        {
            var number = MemoryMarshal.Read<long>(_consumer.Consume());
            _consumer.Commit();
            return number;
        }

        public void Dispose() => queue.Dispose();
    }
}
