using System.Buffers;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>Messages in buffers of a pool: written, received and copied there.</summary>
internal static class PooledMessage
{
    public static PooledMemory Of<TSource>(TSource source, BufferStore pool)
        where TSource : IBufferedMessageSource<TSource>
    {
        using var message = ScratchMessage.Of(source);
        var buffer = pool.RentBuffer(message.Bytes.Length);
        message.Bytes.CopyTo(buffer.AsSpan(pool.OffsetOf(buffer)));
        return OwnerOf(pool, buffer, message.Bytes.Length);
    }

    public static PooledMemory Read(Stream stream, BufferStore pool)
    {
        using var message = new IncomingMessage(pool);
        while (message.NextRead() is { IsEmpty: false } rest)
        {
            message.Received(stream.Read(rest.Span));
        }

        return message.Take();
    }

    public static async Task<PooledMemory> ReadAsync(Stream stream, BufferStore pool, CancellationToken cancellationToken)
    {
        using var message = new IncomingMessage(pool);
        while (message.NextRead() is { IsEmpty: false } rest)
        {
            message.Received(await stream.ReadAsync(rest, cancellationToken).ConfigureAwait(false));
        }

        return message.Take();
    }

    public static PooledMemory CopyOf(in ReadOnlySequence<byte> sequence, BufferStore pool)
    {
        Span<byte> header = stackalloc byte[WireFormat.HeaderBytes];
        if (sequence.Length < header.Length)
        {
            Malformed.Throw(WireRule.TooShort, (int)sequence.Length);
        }

        sequence.Slice(0, header.Length).CopyTo(header);
        var bytes = MessageHeader.TotalBytesOf(header, pool);
        if (sequence.Length < bytes)
        {
            Malformed.Throw($"its header says {bytes} bytes, but the sequence has {sequence.Length}", (int)sequence.Length);
        }

        var buffer = pool.RentBuffer(bytes);
        sequence.Slice(0, bytes).CopyTo(buffer.AsSpan(pool.OffsetOf(buffer)));
        return OwnerOf(pool, buffer, bytes);
    }

    internal static PooledMemory OwnerOf(BufferStore pool, byte[] buffer, int bytes)
    {
        var owner = new PooledMemory(pool, buffer, bytes);
        owner.Rental = pool.Track(owner, "message");
        return owner;
    }
}
