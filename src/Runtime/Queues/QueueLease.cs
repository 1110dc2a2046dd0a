using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// One message of the queue, until it is committed or disposed. Commit says that it was handled; without, it is the next one again.
/// What it gives cannot leave the scope of the lease: the compiler sees to that.
/// </summary>
public readonly ref struct QueueLease
{
    private readonly LogReader _reader;
    private readonly long _use;

    internal QueueLease(LogReader reader, long use)
    {
        _reader = reader;
        _use = use;
    }

    /// <summary>The message's bytes in the mapped queue, aligned to 16. Valid until <see cref="Commit"/> or <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is closed.</exception>
    [UnscopedRef]
    public ReadOnlySpan<byte> Payload => _reader.Payload(_use);

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
