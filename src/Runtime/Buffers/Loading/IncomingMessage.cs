using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A message that is being read from a stream. Its buffer grows with the received bytes, so a header that only claims a large message does not cost memory.
/// Disposing returns the buffer, unless it was taken.
/// </summary>
internal sealed class IncomingMessage(BufferStore pool) : IDisposable
{
    private const int FirstReadBytes = 64 * 1024;

    private byte[]? _buffer = pool.RentBuffer(FirstReadBytes);
    private int _length;

    /// <summary>The place of the next bytes: first the header, then the rest of the message, but not a byte after it in the stream. Empty if the message is complete.</summary>
    public Memory<byte> NextRead()
    {
        if (_length < WireFormat.HeaderBytes)
        {
            return Part(_length, WireFormat.HeaderBytes - _length);
        }

        var totalBytes = MessageHeader.TotalBytesOf(Part(0, _length).Span, pool);
        var capacity = pool.CapacityOf(_buffer!);
        if (_length == capacity && _length < totalBytes)
        {
            Grow((int)Math.Min(totalBytes, 2L * capacity));
            capacity = pool.CapacityOf(_buffer!);
        }

        return Part(_length, Math.Min(totalBytes, capacity) - _length);
    }

    /// <summary>Counts the bytes that were read.</summary>
    /// <exception cref="MalformedMessageException">No bytes were read, since the stream has ended.</exception>
    public void Received(int bytes)
    {
        if (bytes == 0)
        {
            Malformed.Throw($"the stream or file ends after {_length} bytes, before the message does", 0);
        }

        _length += bytes;
    }

    /// <summary>Hands over the complete message to an owner.</summary>
    public PooledMemory Take()
    {
        var owner = PooledMessage.OwnerOf(pool, _buffer!, _length);
        _buffer = null;
        return owner;
    }

    public void Dispose()
    {
        if (_buffer is { } buffer)
        {
            _buffer = null;

            // A stream that failed may have written any part of the buffer.
            pool.ReturnBuffer(buffer, pool.CapacityOf(buffer));
        }
    }

    private Memory<byte> Part(int start, int bytes) => _buffer.AsMemory(pool.OffsetOf(_buffer!) + start, bytes);

    private void Grow(int capacity)
    {
        var larger = pool.RentBuffer(capacity);
        var smaller = _buffer!;
        Part(0, _length).Span.CopyTo(larger.AsSpan(pool.OffsetOf(larger)));
        _buffer = larger;
        pool.ReturnBuffer(smaller, _length);
    }
}
