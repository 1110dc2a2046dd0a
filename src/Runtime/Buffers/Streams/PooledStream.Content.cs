using System.Buffers;

namespace BufferedMessages;

/// <content>The content as a new array, in one piece, as a sequence, and taken out of the stream.</content>
public sealed partial class PooledStream
{
    /// <summary>Copies the whole content to a new array.</summary>
    /// <exception cref="IOException">The content is too long for an array.</exception>
    public byte[] ToArray()
    {
        Open();
        if (_length == 0)
        {
            return [];
        }

        ThrowIfTooLong();
        var array = GC.AllocateUninitializedArray<byte>((int)_length);
        CopyContent(array);
        return array;
    }

    /// <summary>Returns the content in one piece. If it is in several blocks, it is first copied into one that replaces them.</summary>
    /// <returns>
    /// Memory that throws if it is used after the stream was disposed or moved its content. Code that takes arrays can get the part of the stream's
    /// own array from <see cref="System.Runtime.InteropServices.MemoryMarshal.TryGetArray{T}"/>; use of that array after that time is not detected.
    /// </returns>
    /// <exception cref="IOException">The content is too long for one array.</exception>
    public ReadOnlyMemory<byte> GetContiguousMemory()
    {
        var pool = Open();
        if (_length == 0)
        {
            return default;
        }

        MakeContiguous(pool);
        return MemoryOf(0).Memory[..(int)_length];
    }

    /// <summary>
    /// Returns a memory stream that reads the content in place, for code that takes no other type. The content is made contiguous first, as by <see cref="GetContiguousMemory"/>.
    /// </summary>
    /// <returns>A read-only stream of the content at its current length. It throws when it is read after this stream was disposed or moved its content.</returns>
    /// <exception cref="IOException">The content is too long for one array.</exception>
    public MemoryStream AsMemoryStream()
    {
        var pool = Open();
        if (_length == 0)
        {
            return new MemoryStream([], writable: false);
        }

        MakeContiguous(pool);
        return new PooledMemoryStream(MemoryOf(0), (int)_length);
    }

    /// <summary>Returns the content where it is, without copying it.</summary>
    /// <returns>
    /// A sequence of the content at its current length. Reading a part throws if the stream was disposed, or has since moved or returned that part. Later writes do
    /// not invalidate it; <see cref="GetContiguousMemory"/>, <see cref="AsMemoryStream"/> and <see cref="GetSpan"/> with a large hint may.
    /// </returns>
    public ReadOnlySequence<byte> GetReadOnlySequence()
    {
        Open();
        if (_length == 0)
        {
            return ReadOnlySequence<byte>.Empty;
        }

        if (_length <= _blocks[0].Bytes)
        {
            return new ReadOnlySequence<byte>(MemoryOf(0).Memory[..(int)_length]);
        }

        var first = new PooledSegment(MemoryOf(0).Memory[.._blocks[0].Bytes]);
        var last = first;
        for (var i = 1; last.End < _length; i++)
        {
            last = last.Append(MemoryOf(i).Memory[..(int)Math.Min(_blocks[i].Bytes, _length - last.End)]);
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    /// <summary>Takes the content out of the stream as one piece; several blocks are first copied into one. The stream is then empty, as when it was new.</summary>
    /// <returns>The owner of memory of the content's length. Memory and sequences that the stream returned before throw from now on.</returns>
    /// <exception cref="IOException">The content is too long for one array.</exception>
    public IMemoryOwner<byte> DetachMemory() => DetachPooledMemory();

    /// <summary>Takes the content out of the stream as <see cref="DetachMemory"/> does.</summary>
    internal PooledMemory DetachPooledMemory()
    {
        var pool = Open();
        WithdrawOffer();
        if (_length == 0)
        {
            Empty(pool);
            return pool.RentMemory(0, Tag);
        }

        MakeContiguous(pool);
        var length = (int)_length;
        while (_blocks.Count > 1)
        {
            ReleaseLast(pool);
        }

        var owner = TakeLast(pool, length);
        owner.Rental = pool.Track(owner, Tag);
        Empty(pool);
        return owner;
    }

    /// <summary>Takes the content out of the stream as it is, without copying it. The stream is then empty, as when it was new.</summary>
    /// <returns>The owner. Memory and sequences that the stream returned before throw from now on.</returns>
    public PooledSequence DetachSequence()
    {
        var pool = Open();
        WithdrawOffer();
        while (_blocks.Count > 0 && _blocks.Last.Start >= _length)
        {
            ReleaseLast(pool);
        }

        var parts = new PooledMemory[_blocks.Count];
        for (var i = parts.Length - 1; i >= 0; i--)
        {
            parts[i] = TakeLast(pool, (int)(Math.Min(_length, _blocks.Last.End) - _blocks.Last.Start));
        }

        Empty(pool);
        return new PooledSequence(pool, parts, Tag);
    }

    private PooledMemory TakeLast(BufferStore pool, int length)
    {
        var block = RemoveLast(pool, out var isPinned);
        return new PooledMemory(pool, block.Buffer, length, isPinned ? PooledMemory.Ownership.OwnerOfPinned : PooledMemory.Ownership.Owner);
    }

    private void Empty(BufferStore pool)
    {
        try
        {
            ReleaseAll(pool);
        }
        finally
        {
            (_position, _length, _offered) = (0, 0, 0);
            NoteChange();
        }
    }

    private void MakeContiguous(BufferStore pool)
    {
        if (_length <= _blocks[0].Bytes)
        {
            return;
        }

        ThrowIfTooLong();
        var whole = pool.RentBuffer((int)_length);
        CopyContent(whole.AsSpan(pool.OffsetOf(whole)));
        _offered = 0;
        NoteChange();
        try
        {
            ReleaseAll(pool);
        }
        finally
        {
            // A length always has its blocks, even if a handler of the pool's events throws.
            AddBlock(pool, whole);
        }
    }

    private void CopyContent(Span<byte> destination)
    {
        var pool = Open();
        for (var i = 0; i < _blocks.Count && _blocks[i].Start < _length; i++)
        {
            ref readonly var block = ref _blocks[i];
            var count = (int)(Math.Min(_length, block.End) - block.Start);
            new ReadOnlySpan<byte>(block.Buffer, pool.OffsetOf(block.Buffer), count).CopyTo(destination[(int)block.Start..]);
        }
    }

    private void ThrowIfTooLong()
    {
        if (_length > MaxBlockBytes)
        {
            throw new IOException($"The stream has {_length} bytes, which is too long for one array. Take it as a sequence, or copy it to another stream.");
        }
    }
}
