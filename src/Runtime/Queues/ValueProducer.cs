using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A producer of a queue of unmanaged values, which are copied as they are in memory. Serves one thread at a time; Dispose is
/// safe from any. Publishing allocates nothing, except in an asynchronous wait for room.
/// </summary>
/// <typeparam name="T">Fields of it that are padding are copied too, whatever they hold.</typeparam>
public sealed class ValueProducer<T> : IDisposable
    where T : unmanaged
{
    private readonly LogWriter _writer;

    internal ValueProducer(LogWriter writer) => _writer = writer;

    /// <summary>Publishes a value. Waits for room in a queue that is full.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="MessageTooLargeException">The type is larger than a segment of the queue.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. Nothing was published.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public long Publish(in T value, CancellationToken cancellationToken = default)
    {
        TryPublish(value, out var position, Timeout.InfiniteTimeSpan, cancellationToken);
        return position;
    }

    /// <summary>Publishes a value if the queue has room for it, or gets some in time.</summary>
    /// <param name="value">The value.</param>
    /// <param name="position">The value's position in the queue.</param>
    /// <param name="timeout">How long to wait for room; by default not at all.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>False when the queue stayed full. Nothing was published.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public unsafe bool TryPublish(in T value, out long position, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var destination = _writer.Reserve(Unsafe.SizeOf<T>(), timeout, cancellationToken, out var use);
        if (destination is null)
        {
            position = -1;
            return false;
        }

        *(T*)destination = value;
        position = _writer.Commit(use, Unsafe.SizeOf<T>(), Unsafe.SizeOf<T>());
        return true;
    }

    /// <summary>Publishes a value; waits for room without holding a thread.</summary>
    /// <inheritdoc cref="Publish"/>
    public async ValueTask<long> PublishAsync(T value, CancellationToken cancellationToken = default) =>
        (await TryPublishAsync(value, Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false))!.Value;

    /// <summary>Publishes a value if the queue gets room for it in time; waits without holding a thread.</summary>
    /// <param name="value">The value.</param>
    /// <param name="timeout">How long to wait for room.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>The value's position in the queue; null when the queue stayed full, and nothing was published.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public async ValueTask<long?> TryPublishAsync(T value, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        do
        {
            if (TryPublish(value, out var position, TimeSpan.Zero, cancellationToken))
            {
                return position;
            }
        }
        while (await wait.WaitAsync(cancellationToken).ConfigureAwait(false));

        return null;
    }

    /// <summary>Closes the producer. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
