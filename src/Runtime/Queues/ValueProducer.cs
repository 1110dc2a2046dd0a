using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The producer of a queue of unmanaged values, which are copied as they are in memory. Serves one thread at a time; Dispose is
/// safe from any. Publishing allocates nothing.
/// </summary>
/// <typeparam name="T">Fields of it that are padding are copied too, whatever they hold.</typeparam>
public sealed class ValueProducer<T> : IDisposable
    where T : unmanaged
{
    private readonly LogWriter _writer;

    internal ValueProducer(LogWriter writer) => _writer = writer;

    /// <summary>Publishes a value.</summary>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="MessageTooLargeException">The type is larger than a segment of the queue.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public unsafe long Publish(in T value)
    {
        var destination = _writer.Reserve(Unsafe.SizeOf<T>(), out _);
        *(T*)destination = value;
        return _writer.Commit(Unsafe.SizeOf<T>());
    }

    /// <summary>Closes the producer. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
