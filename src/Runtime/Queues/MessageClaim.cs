using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>Reserved room in the queue for one message. Write to <see cref="Span"/>, then commit the claim. Declare it with <c>using</c>.</summary>
public readonly ref struct MessageClaim
{
    private readonly LogWriter? _writer;
    private readonly PublishCheck? _check;
    private readonly long _use;

    // SAFETY: Reserve gave this room, of _length bytes, in a mapped segment; a mapped range stays memory.
    private readonly unsafe byte* _start;
    private readonly int _length;

    // SAFETY: As for _start.
    internal unsafe MessageClaim(LogWriter writer, PublishCheck? check, int maxBytes, TimeSpan timeout, MessageProperties? properties, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        _writer = writer;
        _check = check;
        _start = properties is null && !writer.IsStamping
            ? writer.Reserve(maxBytes, timeout, cancellationToken, out _use)
            : writer.Reserve(maxBytes, properties, timeout, cancellationToken, out _use);
        _length = maxBytes;
    }

    /// <summary>Whether there was room.</summary>
    // SAFETY: Compares the address and reads nothing.
    internal unsafe bool IsOpen => _start is not null;

    /// <summary>The claimed bytes, for the holder of the claim.</summary>
    // SAFETY: As for _start.
    internal unsafe Span<byte> Bytes => new(_start, _length);

    private LogWriter Writer => _writer ?? ThrowEmpty();

    /// <summary>
    /// Gets the claimed bytes in the mapped queue, aligned to 16. They are not cleared. The compiler prevents the span from outliving the variable that
    /// holds the claim; do not use it after <see cref="Commit"/> or <see cref="Dispose"/>.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The claim is closed.</exception>
    // SAFETY: As for _start.
    [UnscopedRef]
    public unsafe Span<byte> Span
    {
        get
        {
            Writer.Require(_use);
            return new Span<byte>(_start, _length);
        }
    }

    /// <summary>Publishes the first bytes of the claim as the message.</summary>
    /// <param name="usedBytes">The number of bytes that were used, from 0 to the claim's length.</param>
    /// <returns>The message's position in the queue.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The claim has fewer bytes; it stays open.</exception>
    /// <exception cref="ArgumentException">The queue holds values, and these bytes are not one. The claim stays open.</exception>
    /// <exception cref="MalformedMessageException">The queue holds messages of a schema, and these bytes are not one. The claim stays open.</exception>
    /// <exception cref="FlushFailedException">The message is published, but the disk failed to store it.</exception>
    /// <exception cref="ObjectDisposedException">The claim is closed.</exception>
    // SAFETY: The writer checks that its use is still open before it writes to the record.
    public unsafe long Commit(int usedBytes)
    {
        if (_check is not null && (uint)usedBytes <= (uint)_length)
        {
            _check.Require(Span[..usedBytes]);
        }

        return Writer.Commit(_use, _start, usedBytes, _length);
    }

    /// <summary>Closes the claim. If it was not committed, its bytes become padding that consumers skip.</summary>
    public void Dispose()
    {
        if (IsOpen)
        {
            Writer.Abandon(_use);
        }
    }

    [DoesNotReturn]
    private static LogWriter ThrowEmpty() => throw new ObjectDisposedException(nameof(MessageClaim), "This is the default value, which has no room in a queue. Claim from a producer.");
}
