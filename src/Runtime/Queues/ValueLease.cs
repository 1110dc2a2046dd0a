using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// One message of the queue, until it is committed or disposed. Commit says that it was handled; without, it is the next one again.
/// What it gives cannot leave the scope of the lease: the compiler sees to that.
/// </summary>
/// <typeparam name="T">The type the producer publishes.</typeparam>
public readonly ref struct ValueLease<T>
    where T : unmanaged
{
    private readonly LogReader _reader;
    private readonly long _use;

    internal ValueLease(LogReader reader, long use)
    {
        _reader = reader;
        _use = use;
    }

    /// <summary>The value in the mapped queue; it is not copied. Valid until <see cref="Commit"/> or <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is closed.</exception>
    /// <exception cref="QueueCorruptedException">The record is not of the size of a value.</exception>
    [UnscopedRef]
    public ref readonly T Value => ref _reader.Value<T>(_use);

    /// <summary>The message's position in the queue, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The lease is closed.</exception>
    public long Position => _reader.PositionOf(_use);

    /// <summary>
    /// The message may have been delivered before: it is the first one after the last consumer of this name died.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The lease is closed.</exception>
    public bool IsRedelivery => _reader.IsRedelivery(_use);

    /// <summary>Moves the consumer's durable position behind this message and closes the lease.</summary>
    /// <exception cref="ObjectDisposedException">The lease is closed.</exception>
    public void Commit() => _reader.CommitLease(_use);

    /// <summary>Closes the lease; if it was not committed, the message is the next one again.</summary>
    public void Dispose() => _reader?.CloseLease(_use);
}
