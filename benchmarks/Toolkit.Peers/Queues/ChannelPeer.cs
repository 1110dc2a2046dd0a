using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace BufferedMessages.Peers;

/// <summary>A bounded channel between two threads: the floor of those that cross no border of processes.</summary>
internal sealed class ChannelPeer : IQueuePeer
{
    private const int Capacity = 64 * 1024;

    private readonly ConcurrentDictionary<string, Channel<long>> _channels = new(StringComparer.Ordinal);

    public string Name => "Channel of 8 B";

    public Assembly Library => typeof(Channel).Assembly;

    public bool IsWithinProcess => true;

    public IQueueWriter OpenWriter(string directory) => new Writer(Open(directory).Writer);

    public IQueueReader OpenReader(string directory) => new Reader(Open(directory).Reader);

    private Channel<long> Open(string directory) =>
        _channels.GetOrAdd(directory, static _ => Channel.CreateBounded<long>(new BoundedChannelOptions(Capacity) { SingleReader = true, SingleWriter = true }));

    private sealed class Writer(ChannelWriter<long> channel) : IQueueWriter
    {
        public void Send(ReadOnlySpan<byte> message)
        {
            var number = MemoryMarshal.Read<long>(message);
            while (!channel.TryWrite(number))
            {
                channel.WaitToWriteAsync().AsTask().GetAwaiter().GetResult();
            }
        }

        public void Dispose()
        {
        }
    }

    private sealed class Reader(ChannelReader<long> channel) : IQueueReader
    {
        public long Receive()
        {
            long number;
            while (!channel.TryRead(out number))
            {
                channel.WaitToReadAsync().AsTask().GetAwaiter().GetResult();
            }

            return number;
        }

        public void Dispose()
        {
        }
    }
}
