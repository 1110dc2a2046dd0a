namespace BufferedMessages;

/// <summary>The state that few streams need, kept apart so that the other streams are small.</summary>
internal sealed class StreamExtras
{
    private PooledMemory?[] _memories = [];

    /// <summary>The purpose of the stream.</summary>
    public string? Tag { get; init; }

    /// <summary>The pool's record of the stream.</summary>
    public BufferRental? Rental { get; init; }

    /// <summary>How often the stream's own count of its versions began anew.</summary>
    public long Versions { get; set; }

    /// <summary>The buffer that was offered for writing instead of the stream's own blocks, or null.</summary>
    public PooledMemory? Scratch { get; set; }

    /// <summary>Returns the memory of a block, which is created at the first call.</summary>
    /// <param name="pool">The stream's pool.</param>
    /// <param name="index">The index of the block.</param>
    /// <param name="block">The block.</param>
    /// <param name="count">The number of blocks, all of which are likely to be requested.</param>
    public PooledMemory MemoryOf(BufferStore pool, int index, in StreamBlock block, int count)
    {
        if (index >= _memories.Length)
        {
            Array.Resize(ref _memories, count);
        }

        return _memories[index] ??= new PooledMemory(pool, block.Buffer, pool.CapacityOf(block.Buffer), PooledMemory.Ownership.None);
    }

    /// <summary>Revokes the memory of a block, if there is one.</summary>
    /// <param name="index">The index of the block.</param>
    /// <returns>Whether a handle still pins it.</returns>
    public bool Revoke(int index)
    {
        var isPinned = false;
        if (index < _memories.Length)
        {
            _memories[index]?.TryRevoke(out isPinned);
            _memories[index] = null;
        }

        return isPinned;
    }
}
