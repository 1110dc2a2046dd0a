using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages;

/// <content>Writing, by copying and in place. Asynchronous members complete synchronously.</content>
public sealed partial class PooledStream
{
    /// <inheritdoc/>
    /// <exception cref="IOException">The stream would be longer than <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        ref readonly var block = ref _blocks.Current;
        var at = _position - block.Start;
        if (!_isGuarded && (ulong)at <= (ulong)block.Bytes && buffer.Length <= block.Bytes - at)
        {
            buffer.CopyTo(new Span<byte>(block.Buffer, _offset + (int)at, buffer.Length));
            _offered = 0;
            _position += buffer.Length;
            _length = Math.Max(_length, _position);
            return;
        }

        WriteAcross(buffer);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The stream would be longer than <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    /// <summary>Writes a byte.</summary>
    /// <param name="value">The byte.</param>
    /// <exception cref="IOException">The stream would be longer than <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public override void WriteByte(byte value)
    {
        ref readonly var block = ref _blocks.Current;
        var at = _position - block.Start;
        if (!_isGuarded && (ulong)at < (ulong)block.Bytes)
        {
            block.Buffer[_offset + (int)at] = value;
            _offered = 0;
            _position++;
            _length = Math.Max(_length, _position);
            return;
        }

        WriteByteAcross(value);
    }

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            Write(buffer.Span);
            return default;
        }
        catch (Exception exception)
        {
            return ValueTask.FromException(exception);
        }
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>
    /// Returns room to write at the position. At the end of the stream, it is the stream's own memory, in one piece. If the block has too little left,
    /// a new one is opened; only the bytes of a block that is less than a quarter full are copied. Elsewhere, it is a buffer that <see cref="Advance"/> copies.
    /// </summary>
    /// <param name="sizeHint">The minimum number of bytes; 0 for any number above 0.</param>
    /// <returns>Arbitrary bytes; valid until the next call to any member.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than an array can have.</exception>
    /// <exception cref="IOException">The stream would be longer than <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Offer(sizeHint, out var at);
        return _extras?.Scratch is { } scratch ? scratch.GetSpan() : new Span<byte>(_blocks.Current.Buffer, _offset + at, _offered);
    }

    /// <summary>Returns room to write as <see cref="GetSpan"/> does, as memory that throws if it is used after the stream is disposed.</summary>
    /// <inheritdoc cref="GetSpan"/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Offer(sizeHint, out var at);
        return _extras?.Scratch is { } scratch ? scratch.Memory : MemoryOf(_blocks.CurrentIndex).Memory.Slice(at, _offered);
    }

    /// <summary>Reports how many bytes of the room from <see cref="GetSpan"/> or <see cref="GetMemory"/> were written, from its start.</summary>
    /// <param name="count">The number of bytes. They may be reported in several calls.</param>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative, or greater than the room, or the stream was read, written or otherwise changed in between.</exception>
    public void Advance(int count)
    {
        if (count < 0 || count > _offered)
        {
            ThrowAdvance(count);
        }

        if (_extras?.Scratch is { } scratch)
        {
            AdvanceScratch(scratch, count);
            return;
        }

        _offered -= count;
        _position += count;
        _length = Math.Max(_length, _position);
        NoteChange();
    }

    // Takes the byte by value: the address of a parameter would keep it in memory on the fast way too, and reading it back there stalls.
    private void WriteByteAcross(byte value) => WriteAcross(new ReadOnlySpan<byte>(ref value));

    private void WriteAcross(ReadOnlySpan<byte> buffer)
    {
        var pool = Open();
        CheckEnd(pool, _position, buffer.Length);
        _offered = 0;
        if (_position > _length)
        {
            Extend(pool, _position);
        }

        NoteChange();

        while (!buffer.IsEmpty)
        {
            var room = Room(pool, _position, buffer.Length);
            var part = buffer[..Math.Min(room.Length, buffer.Length)];
            if (part.Length < buffer.Length && buffer[part.Length..].Overlaps(room[..part.Length]))
            {
                // The content of this stream, of which a part would be overwritten before it is read.
                buffer = buffer.ToArray();
                part = buffer[..part.Length];
            }

            part.CopyTo(room);
            _position += part.Length;
            _length = Math.Max(_length, _position);
            buffer = buffer[part.Length..];
        }
    }

    private void Offer(int sizeHint, out int at)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        var pool = Open();

        // A call that fails may have given back the room of the one before, so that must not be advanced by.
        _offered = 0;
        var wanted = Math.Max(sizeHint, 1);
        CheckEnd(pool, _position, wanted);
        ReleaseScratch();
        if (_position != _length)
        {
            OfferScratch(pool, wanted);
            at = 0;
            return;
        }

        ref var block = ref _blocks.Current;
        var used = _position - block.Start;
        if ((ulong)used > (ulong)block.Bytes || block.Bytes - used < wanted)
        {
            OpenRoom(pool, wanted);
        }

        at = (int)(_position - block.Start);
        _offered = block.Bytes - at;
        block.Offered = block.Bytes;
    }

    private void OfferScratch(BufferStore pool, int wanted)
    {
        (_extras ??= new StreamExtras()).Scratch = new PooledMemory(pool, pool.RentBuffer(wanted), wanted);
        _offered = wanted;
    }

    private void AdvanceScratch(PooledMemory scratch, int count)
    {
        if (count == 0)
        {
            return;
        }

        var rest = _offered - count;
        var all = scratch.GetSpan();
        Write(all.Slice(all.Length - _offered, count));
        _offered = rest;
    }

    // Before the content or a block leaves the stream: a handler of the pool's events may throw, and the room must not be advanced by after that.
    private void WithdrawOffer()
    {
        _offered = 0;
        ReleaseScratch();
    }

    private void ReleaseScratch()
    {
        if (_extras?.Scratch is IDisposable scratch)
        {
            _extras.Scratch = null;
            scratch.Dispose();
        }
    }

    [DoesNotReturn]
    private void ThrowAdvance(int count)
    {
        Open();
        throw new ArgumentOutOfRangeException(nameof(count), count, $"The count must be from 0 to {_offered} bytes, the rest of the memory from GetSpan or GetMemory.");
    }
}
