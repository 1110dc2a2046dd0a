using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using BufferedMessages.Peers;
using Cloudtoid.Interprocess;

namespace Toolkit.Peers.Adapters;

internal sealed class InterprocessPeer : IQueuePeer
{
    private const long Capacity = 16 * 1024 * 1024;

    private readonly QueueFactory _factory = new();

    public string Name => "Interprocess";

    public Assembly Library => typeof(QueueFactory).Assembly;

    public IQueueWriter OpenWriter(string directory) => new Writer(_factory.CreatePublisher(Options(directory)));

    public IQueueReader OpenReader(string directory) => new Reader(_factory.CreateSubscriber(Options(directory)), $"/dev/shm/sem.ct.ip.{NameOf(directory)}");

    private static QueueOptions Options(string directory)
    {
        Directory.CreateDirectory(directory);
        return new QueueOptions(NameOf(directory), directory, Capacity);
    }

    // It is also the name of a semaphore of the system.
    private static string NameOf(string directory) => $"{Path.GetFileName(Path.GetDirectoryName(directory))}-{Path.GetFileName(directory)}";

    private sealed class Writer(IPublisher publisher) : IQueueWriter
    {
        public void Send(ReadOnlySpan<byte> message)
        {
            var wait = new SpinWait();
            while (!publisher.TryEnqueue(message))
            {
                wait.SpinOnce(sleep1Threshold: -1);
            }
        }

        public void Dispose() => publisher.Dispose();
    }

    private sealed class Reader(ISubscriber subscriber, string semaphore) : IQueueReader
    {
        private readonly byte[] _buffer = new byte[QueueMeasurement.MessageBytes];

        public long Receive() => MemoryMarshal.Read<long>(subscriber.Dequeue(_buffer, CancellationToken.None).Span);

        public void Dispose()
        {
            subscriber.Dispose();

            // The library leaves it on Linux.
            File.Delete(semaphore);
        }
    }
}
