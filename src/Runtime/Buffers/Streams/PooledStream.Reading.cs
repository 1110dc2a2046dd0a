namespace BufferedMessages;

/// <content>Reading. Asynchronous members complete synchronously.</content>
public sealed partial class PooledStream
{
    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        ref readonly var block = ref _blocks.Current;
        var at = _position - block.Start;
        var count = Math.Min(_length - _position, buffer.Length);
        if (count > 0 && (ulong)at < (ulong)block.Bytes && count <= block.Bytes - at)
        {
            new ReadOnlySpan<byte>(block.Buffer, _offset + (int)at, (int)count).CopyTo(buffer);
            _offered = 0;
            _position += count;
            return (int)count;
        }

        return ReadAcross(buffer);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override int ReadByte()
    {
        ref readonly var block = ref _blocks.Current;
        var at = _position - block.Start;
        if (_position < _length && (ulong)at < (ulong)block.Bytes)
        {
            _offered = 0;
            _position++;
            return block.Buffer[_offset + (int)at];
        }

        return ReadByteAcross();
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        try
        {
            return new ValueTask<int>(Read(buffer.Span));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<int>(exception);
        }
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>Writes the content after the position to another stream, block by block, and moves the position to the end.</summary>
    /// <param name="destination">A writable stream. It receives the stream's own arrays, and must not keep them.</param>
    /// <param name="bufferSize">Checked but not used, since there is nothing to buffer.</param>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        Open();
        var from = _position;
        var to = _length;
        MoveTo(Math.Max(from, to));
        WriteBlocks(destination, from, to);
    }

    /// <summary>Writes the content after the position to another stream asynchronously. Memory that the destination pins is not rented again if this stream is disposed.</summary>
    /// <param name="destination">A writable stream.</param>
    /// <param name="bufferSize">Checked but not used.</param>
    /// <param name="cancellationToken">Cancels the copying between two blocks, and the destination's writing.</param>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        Open();
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled(cancellationToken);
        }

        var from = _position;
        var to = _length;
        MoveTo(Math.Max(from, to));
        return WriteBlocksAsync(destination, from, to, cancellationToken);
    }

    /// <summary>Writes the whole content to another stream, block by block. The position does not change.</summary>
    /// <param name="destination">A writable stream. It receives the stream's own arrays, and must not keep them.</param>
    public void WriteTo(Stream destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        Open();
        if (ReferenceEquals(destination, this) && _position < _length)
        {
            // A block would be overwritten before it is read.
            Write(ToArray());
            return;
        }

        WriteBlocks(destination, 0, _length);
    }

    // Copies the next bytes, which are there; the position does not change.
    private ReadOnlySpan<byte> Peek(Span<byte> buffer)
    {
        var position = _position;
        ReadAcross(buffer);
        _position = position;
        return buffer;
    }

    // The next bytes, which are there, in one piece, for which the content may have to move; the position stays.
    private ArraySegment<byte> PeekContiguous(int count)
    {
        var pool = Open();
        if (Room(pool, _position, count).Length < count)
        {
            MakeContiguous(pool);
            Room(pool, _position, count);
        }

        return new ArraySegment<byte>(_blocks.Current.Buffer, _offset + (int)(_position - _blocks.Current.Start), count);
    }

    private int ReadByteAcross()
    {
        byte value = 0;
        return ReadAcross(new Span<byte>(ref value)) == 0 ? -1 : value;
    }

    private int ReadAcross(Span<byte> buffer)
    {
        var pool = Open();
        _offered = 0;
        var count = (int)Math.Clamp(_length - _position, 0, buffer.Length);
        buffer = buffer[..count];
        while (!buffer.IsEmpty)
        {
            var part = Room(pool, _position, buffer.Length);
            part = part[..Math.Min(part.Length, buffer.Length)];
            part.CopyTo(buffer);
            _position += part.Length;
            buffer = buffer[part.Length..];
        }

        return count;
    }

    // The destination may be this stream itself: then blocks change during the copy, but not those that are read.
    private void WriteBlocks(Stream destination, long from, long to)
    {
        while (from < to)
        {
            var block = _blocks[_blocks.IndexOf(from)];
            var at = (int)(from - block.Start);
            var count = (int)Math.Min(block.Bytes - at, to - from);
            destination.Write(block.Buffer, Open().OffsetOf(block.Buffer) + at, count);
            from += count;
        }
    }

    private async Task WriteBlocksAsync(Stream destination, long from, long to, CancellationToken cancellationToken)
    {
        while (from < to)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var index = _blocks.IndexOf(from);
            var at = (int)(from - _blocks[index].Start);
            var count = (int)Math.Min(_blocks[index].Bytes - at, to - from);
            await destination.WriteAsync(MemoryOf(index).Memory.Slice(at, count), cancellationToken).ConfigureAwait(false);
            from += count;
            Open();
        }
    }

    private PooledMemory MemoryOf(int index) => (_extras ??= new StreamExtras()).MemoryOf(Open(), index, _blocks[index], _blocks.Count);
}
