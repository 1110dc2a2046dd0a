using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Keeps what this process has mapped of the segments within a budget. Memory is counted in chunks of 64 KB, since that is what the kernel maps around a page that is read;
/// chunks are aligned as it aligns them, by address. A clock hand gives chunks back that were not used since it came by last. Giving back is always safe: the bytes stay
/// in the file cache or on the disk.
/// </summary>
/// <remarks>
/// One thread alone maps nothing that is not counted. A thread that is stopped between counting a chunk and touching it, or that holds a lease of it, may map it after it was
/// given back. So each pass of the hand also gives back what counts as cold.
/// </remarks>
internal sealed unsafe class ResidentMemory
{
    /// <summary>Bytes of a chunk.</summary>
    public const long ChunkBytes = 1L << ChunkShift;

    /// <summary>A chunk that needs no <see cref="Use"/>.</summary>
    public const byte Used = 3;

    private const int ChunkShift = 16;

    // Of so many reads of what is not mapped one maps it.
    private const int CopiesPerMapping = 256;

    private const byte Cold = 0;
    private const byte Warm = 1;

    private readonly Lock _hand = new();
    private readonly byte[]?[] _chunks;
    private readonly nint[] _bases;
    private readonly long _segmentBytes;
    private readonly long _slack;
    private long _budget;
    private long _target;
    private long _warm;
    private uint _copied;
    private int _slot;
    private int _chunk;

    /// <param name="bases">Where the slots are mapped; 0 where they are not.</param>
    /// <param name="segmentBytes">Bytes of a segment.</param>
    /// <param name="budgetBytes">Bytes that may be mapped.</param>
    public ResidentMemory(nint[] bases, long segmentBytes, long budgetBytes)
    {
        _bases = bases;
        _chunks = new byte[]?[bases.Length];
        _segmentBytes = segmentBytes;
        _budget = Math.Max(budgetBytes / ChunkBytes, 1);
        _slack = Math.Max(segmentBytes / ChunkBytes / 4, 1);
        _target = _budget - Math.Min(_budget / 16, _slack);
    }

    /// <summary>Bytes that count as mapped.</summary>
    public long Bytes => Volatile.Read(ref _warm) * ChunkBytes;

    // Whoever maps something may have to give something else back.
    private bool IsFull => Volatile.Read(ref _warm) >= _target && LinuxKernel.IsSupported;

    /// <summary>The chunk of an offset in a segment, counted from the one that the segment begins in.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ChunkOf(nint segment, long offset) => (int)(((segment & (nint)(ChunkBytes - 1)) + (nint)offset) >> ChunkShift);

    /// <summary>Begins to count a slot that was mapped.</summary>
    public void Add(int slot) => _chunks[slot] ??= new byte[(_segmentBytes / ChunkBytes) + 2];

    /// <summary>To be called before bytes of a segment are read or written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Use(int slot, byte* start, long bytes)
    {
        var origin = _bases[slot] >> ChunkShift;
        var first = (int)(((nint)start >> ChunkShift) - origin);
        var last = (int)((((nint)start + (nint)bytes - 1) >> ChunkShift) - origin);
        var chunks = _chunks[slot]!;
        if (first == last ? chunks[first] != Used : chunks.AsSpan(first, last - first + 1).ContainsAnyExcept(Used))
        {
            MakeUsed(chunks.AsSpan(first, last - first + 1));
        }
    }

    /// <summary>Finds out where a slot is mapped, if there is such a slot and it is. Without a lease it may be unmapped at any time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(int slot, out MappedSegment segment)
    {
        var (bases, chunks) = (_bases, _chunks);
        if ((uint)slot >= (uint)bases.Length || (uint)slot >= (uint)chunks.Length)
        {
            segment = default;
            return false;
        }

        // A slot that is mapped has chunks, also when it is unmapped again.
        segment = new MappedSegment((byte*)Volatile.Read(ref bases[slot]), chunks[slot]);
        return segment.Start is not null;
    }

    /// <summary>The slot is still mapped where it was found: to be asked with a lease, and true as long as there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsStillAt(int slot, byte* start) => Volatile.Read(ref _bases[slot]) == (nint)start;

    /// <summary>
    /// What is at an offset is better copied from the file: it is not mapped, and would take the place of something else. Now and then it is mapped nevertheless, so that
    /// what is read much comes into memory.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCopyBetter(int slot, long offset) => ChunkAt(slot, offset) == Cold && IsFull && (_copied++ & (CopiesPerMapping - 1)) != 0;

    /// <summary>The chunk of an offset counts as mapped.</summary>
    public bool IsWarm(int slot, long offset) =>
        Volatile.Read(ref _bases[slot]) is var segment && segment != 0
        && ChunkAt(slot, offset) != Cold;

    /// <summary>Makes the budget smaller, for good.</summary>
    public void GiveUp(long bytes)
    {
        _budget -= bytes / ChunkBytes;
        _target = _budget - Math.Min(_budget / 16, _slack);
        if (Volatile.Read(ref _warm) is var warm && warm > _target)
        {
            KeepBudget(warm);
        }
    }

    /// <summary>Gives a whole segment back before it is unmapped: nobody gives anything back there afterwards.</summary>
    public void Remove(int slot)
    {
        lock (_hand)
        {
            ForgetChunks(slot);
            _bases[slot] = 0;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte ChunkAt(int slot, long offset) => _chunks[slot]![ChunkOf(_bases[slot], offset)];

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeUsed(Span<byte> chunks)
    {
        // Making room for one may take another that was just made: those are looked at once more.
        for (var round = 0; round < 2; round++)
        {
            foreach (ref var chunk in chunks)
            {
                MakeUsed(ref chunk);
            }
        }
    }

    private void MakeUsed(ref byte chunk)
    {
        for (var state = Volatile.Read(ref chunk); state != Used; state = Volatile.Read(ref chunk))
        {
            // Room is made first: the hand must not find what is not touched yet.
            if (state == Cold && Interlocked.Increment(ref _warm) is var warm && warm > _budget)
            {
                KeepBudget(warm);
            }

            if (Interlocked.CompareExchange(ref chunk, Used, state) != state && state == Cold)
            {
                Interlocked.Decrement(ref _warm);
            }
        }
    }

    // One thread turns the hand, the others go on, unless they are faster than it is.
    private void KeepBudget(long warm)
    {
        if (!LinuxKernel.IsSupported)
        {
            return;
        }

        if (warm > _budget + _slack)
        {
            _hand.Enter();
        }
        else if (!_hand.TryEnter())
        {
            return;
        }

        try
        {
            for (var turns = 0; turns < 3 * _bases.Length && Volatile.Read(ref _warm) > _target; turns++)
            {
                TurnHand();
            }
        }
        finally
        {
            _hand.Exit();
        }
    }

    // Goes over the rest of a segment, or until the target is reached.
    private void TurnHand()
    {
        if (_chunks[_slot] is { } chunks && _bases[_slot] != 0)
        {
            var runStart = _chunk;
            for (; _chunk < chunks.Length && Volatile.Read(ref _warm) > _target; _chunk++)
            {
                if (!TryCool(ref chunks[_chunk]))
                {
                    GiveBack(_slot, runStart, _chunk);
                    runStart = _chunk + 1;
                }
            }

            GiveBack(_slot, runStart, _chunk);
            if (_chunk < chunks.Length)
            {
                return;
            }
        }

        _slot = (_slot + 1) % _bases.Length;
        _chunk = 0;
    }

    private void ForgetChunks(int slot)
    {
        foreach (ref var chunk in _chunks[slot].AsSpan())
        {
            if (Interlocked.Exchange(ref chunk, Cold) != Cold)
            {
                Interlocked.Decrement(ref _warm);
            }
        }

        GiveBack(slot, 0, _chunks[slot]!.Length);
    }

    // False when the chunk was used since the hand came by.
    private bool TryCool(ref byte chunk)
    {
        var state = Volatile.Read(ref chunk);
        if (state == Used)
        {
            Interlocked.CompareExchange(ref chunk, Warm, Used);
            return false;
        }

        if (state == Warm && Interlocked.CompareExchange(ref chunk, Cold, Warm) == Warm)
        {
            Interlocked.Decrement(ref _warm);
        }

        return true;
    }

    private void GiveBack(int slot, int firstChunk, int endChunk)
    {
        if (firstChunk >= endChunk || !LinuxKernel.IsSupported)
        {
            return;
        }

        var segment = _bases[slot];
        var origin = segment >> ChunkShift;
        var start = Math.Max((origin + firstChunk) << ChunkShift, segment);
        var end = Math.Min((origin + endChunk) << ChunkShift, segment + (nint)_segmentBytes);
        if (segment != 0 && start < end)
        {
            LinuxKernel.DontNeed((byte*)start, (nuint)(end - start));
        }
    }
}
