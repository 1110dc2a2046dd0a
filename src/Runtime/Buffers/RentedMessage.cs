using System.Buffers;
using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// One message in a pooled array. It grows while a stream is read, so that a header that promises much costs no more memory than arrives.
/// </summary>
internal sealed class RentedMessage : IDisposable
{
    private const int FirstReadBytes = 64 * 1024;
    private byte[]? _array;
    private int _length;

    private RentedMessage(int capacity) => _array = ArrayPool<byte>.Shared.Rent(capacity);

    /// <summary>The message.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    public ReadOnlyMemory<byte> Memory
    {
        get
        {
            var array = _array;
            ObjectDisposedException.ThrowIf(array is null, typeof(PooledBufferedMessage<>));
            return new ReadOnlyMemory<byte>(array, 0, _length);
        }
    }

    public static RentedMessage Of<TSource>(TSource source)
        where TSource : IBufferedMessageSource<TSource>
    {
        var message = new RentedMessage(source.CalculateSize());
        try
        {
            message._length = source.Write(message._array);
            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }

    public static RentedMessage Read(Stream stream)
    {
        var message = new RentedMessage(FirstReadBytes);
        try
        {
            while (message.NextRead() is { IsEmpty: false } rest)
            {
                message.Received(stream.Read(rest.Span));
            }

            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }

    public static async Task<RentedMessage> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        var message = new RentedMessage(FirstReadBytes);
        try
        {
            while (message.NextRead() is { IsEmpty: false } rest)
            {
                message.Received(await stream.ReadAsync(rest, cancellationToken).ConfigureAwait(false));
            }

            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _array, null) is { } array)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    // First the header, then what it says: not a byte of what follows the message in the stream.
    private Memory<byte> NextRead()
    {
        var array = _array!;
        if (_length < WireFormat.HeaderBytes)
        {
            return array.AsMemory(_length, WireFormat.HeaderBytes - _length);
        }

        var totalBytes = BinaryPrimitives.ReadUInt32LittleEndian(array.AsSpan(4));
        if (totalBytes is < WireFormat.HeaderBytes or > int.MaxValue)
        {
            Malformed.ThrowHeader($"its header says {totalBytes} bytes", _length);
        }

        if (_length == array.Length && _length < totalBytes)
        {
            array = Grow((int)Math.Min(totalBytes, Math.Min(_length * 2L, Array.MaxLength)));
        }

        return array.AsMemory(_length, (int)Math.Min(totalBytes, (uint)array.Length) - _length);
    }

    private void Received(int bytes)
    {
        if (bytes == 0)
        {
            Malformed.ThrowHeader($"the stream or file ends after {_length} bytes, before the message does", 0);
        }

        _length += bytes;
    }

    private byte[] Grow(int capacity)
    {
        var larger = ArrayPool<byte>.Shared.Rent(capacity);
        var array = _array!;
        array.AsSpan(0, _length).CopyTo(larger);
        _array = larger;
        ArrayPool<byte>.Shared.Return(array);
        return larger;
    }
}
