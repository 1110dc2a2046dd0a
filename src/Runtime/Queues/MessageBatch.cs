using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <summary>
/// Reserved room in the queue for a batch of messages, which consumers see all at once. Add messages, then publish the batch. Declare it with <c>using</c>.
/// Like its producer, it serves one thread at a time.
/// </summary>
public ref struct MessageBatch
{
    private const int NoClaim = -1;

    private readonly LogWriter? _writer;
    private readonly PublishCheck? _check;

    // Messages are not checked, and have no properties unless they are given.
    private readonly bool _isPlain;
    private LogWriter.Batch _batch;

    // The claim of the next message: its bytes, or NoClaim, and those of its properties.
    private int _claimedBytes;
    private int _propertyBytes;

    internal MessageBatch(LogWriter writer, PublishCheck? check, int maxBytes, TimeSpan timeout, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxBytes);
        WaitLadder.RequireTimeout(timeout);
        _writer = writer;
        _check = check;
        _isPlain = check is null && !writer.IsStamping;
        _claimedBytes = NoClaim;
        _batch = writer.ReserveBatch(writer.EnterBatch(), RecordWord.Align(maxBytes), timeout, cancellationToken);
    }

    private readonly LogWriter Writer => _writer ?? ThrowEmpty();

    /// <summary>The number of messages that were added.</summary>
    internal readonly int Count => _batch.Messages;

    /// <summary>Whether there was room.</summary>
    internal readonly bool IsOpen => _batch.IsOpen;

    /// <summary>Adds a message if the batch has room for it.</summary>
    /// <param name="payload">The message; raw bytes may be empty.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <returns>False if the rest of the batch is too small. Publish it and claim another batch.</returns>
    /// <exception cref="ArgumentException">The queue holds values, and the payload is not such a value; or a text of the properties is too long. The batch stays open.</exception>
    /// <exception cref="MalformedMessageException">The queue holds messages of a schema, and the payload is not such a message. The batch stays open.</exception>
    /// <exception cref="MessageTooLargeException">The batch is empty but too small for this message. It stays open.</exception>
    /// <exception cref="ObjectDisposedException">The batch was published or disposed.</exception>
    public bool TryAdd(ReadOnlySpan<byte> payload, MessageProperties? properties = null)
    {
        if (_isPlain && properties is null && Writer.TryAppend(ref _batch, payload))
        {
            _claimedBytes = NoClaim;
            return true;
        }

        if (!TryClaim(payload.Length, out var bytes, properties))
        {
            return false;
        }

        payload.CopyTo(bytes);
        Add(payload.Length);
        return true;
    }

    /// <summary>Claims room in the batch to write the next message in place, if the batch has room for it. Claimed room that is not added is given back.</summary>
    /// <param name="maxBytes">The maximum number of bytes that the message may need.</param>
    /// <param name="bytes">
    /// The claimed bytes in the mapped queue, aligned to 16. They are not cleared. The compiler prevents the span from outliving the variable that holds the batch;
    /// do not use it after <see cref="Add"/>, <see cref="Publish"/> or <see cref="Dispose"/>, or after the next claim or message of the batch.
    /// </param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <returns>False if the rest of the batch is too small. Publish it and claim another batch.</returns>
    /// <exception cref="ArgumentException">A text of the properties is too long. The batch stays open.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is negative. The batch stays open.</exception>
    /// <exception cref="MessageTooLargeException">The batch is empty but too small for this message. It stays open.</exception>
    /// <exception cref="ObjectDisposedException">The batch was published or disposed.</exception>
    [UnscopedRef]
    public bool TryClaim(int maxBytes, out Span<byte> bytes, MessageProperties? properties = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        Writer.Require(_batch.Use);
        _claimedBytes = NoClaim;
        _propertyBytes = Writer.EncodeBatchProperties(properties);
        var room = Writer.NextPayload(in _batch, _propertyBytes);
        if (RecordWord.RecordBytes(maxBytes, _propertyBytes) > _batch.FreeBytes)
        {
            if (Count == 0)
            {
                RefuseSize(maxBytes);
            }

            bytes = default;
            return false;
        }

        _claimedBytes = maxBytes;
        bytes = room[..maxBytes];
        return true;
    }

    /// <summary>Adds the message that was written into the claimed bytes. It is published with the batch.</summary>
    /// <param name="usedBytes">The number of claimed bytes that were used.</param>
    /// <exception cref="ArgumentOutOfRangeException">The claim has fewer bytes; it stays open.</exception>
    /// <exception cref="ArgumentException">The queue holds values, and these bytes are not one. The claim stays open.</exception>
    /// <exception cref="MalformedMessageException">The queue holds messages of a schema, and these bytes are not one. The claim stays open.</exception>
    /// <exception cref="InvalidOperationException">No bytes are claimed.</exception>
    /// <exception cref="ObjectDisposedException">The batch was published or disposed.</exception>
    public void Add(int usedBytes)
    {
        Writer.Require(_batch.Use);
        if ((uint)usedBytes > (uint)_claimedBytes || _claimedBytes == NoClaim)
        {
            RefuseAdd(usedBytes);
        }

        _check?.Require(Writer.NextPayload(in _batch, _propertyBytes)[..usedBytes]);
        _claimedBytes = NoClaim;
        Writer.Append(ref _batch, usedBytes, _propertyBytes);
    }

    /// <summary>Publishes all added messages at once, and closes the batch.</summary>
    /// <returns>The position of the first message. The others follow it without a gap. 0, which is never the position of a message, if none was added.</returns>
    /// <exception cref="FlushFailedException">The messages are published, but the disk failed to store them.</exception>
    /// <exception cref="ObjectDisposedException">The batch was published or disposed.</exception>
    public long Publish() => Writer.Publish(ref _batch);

    /// <summary>Closes the batch. If it was not published, its bytes become padding, which consumers skip.</summary>
    public readonly void Dispose() => _writer?.Abandon(_batch.Use);

    [DoesNotReturn]
    private static LogWriter ThrowEmpty() => throw new ObjectDisposedException(nameof(MessageBatch), "This is the default value, which has no room in a queue. Claim a batch of a producer.");

    private readonly void RefuseSize(int maxBytes) => throw new MessageTooLargeException(
        $"A message of {maxBytes} bytes, with its properties and its header, does not fit into a batch of {_batch.FreeBytes} bytes. Claim a larger batch.", maxBytes, _batch.FreeBytes);

    private readonly void RefuseAdd(int usedBytes)
    {
        if (_claimedBytes == NoClaim)
        {
            throw new InvalidOperationException("No bytes are claimed. Claim them with TryClaim, and add them once.");
        }

        throw new ArgumentOutOfRangeException(nameof(usedBytes), usedBytes, $"The claim has {_claimedBytes} bytes; add between 0 and that many.");
    }
}
