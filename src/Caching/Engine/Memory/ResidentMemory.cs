using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Keeps the mapped memory of the segments within a budget. Memory is counted in chunks of 64 KB, because the kernel maps as much around a page that is read;
/// chunks are aligned by address, as the kernel aligns them. A clock hand gives back chunks that were not used since its last turn. Giving back is always safe: the bytes stay
/// in the file cache or on the disk. The marks after the records are not counted, and stay: each set changes one, in any segment.
/// </summary>
/// <remarks>
/// Every mapped chunk is counted before it is touched. A thread that is stopped between counting and touching, or that holds a lease, may map a chunk after it was
/// given back. So each turn of the hand also gives back the chunks that count as cold.
/// </remarks>
internal sealed class ResidentMemory
{
    /// <summary>The bytes of a chunk.</summary>
    public const long ChunkBytes = 1L << ChunkShift;

    /// <summary>The state of a chunk that needs no <see cref="Use"/>.</summary>
    public const byte Used = 3;

    private const int ChunkShift = 16;

    // One of this many reads of cold chunks maps its chunk; the others copy.
    private const int CopiesPerMapping = 256;

    // With fewer the hand would give back a chunk that was just mapped.
    private const int FewestChunks = 3;

    private const byte Cold = 0;
    private const byte Warm = 1;

    private readonly Lock _hand = new();
    private readonly byte[]?[] _chunks;
    private readonly nint[] _bases;
    private readonly long _segmentBytes;
    private readonly long _recordsEnd;
    private readonly long _slack;
    private long _budget;
    private long _target;
    private long _givenUp;
    private long _warm;
    private uint _copied;
    private int _slot;
    private int _chunk;

    /// <param name="bases">The addresses of the mapped slots; 0 for the others.</param>
    /// <param name="segmentBytes">The bytes of a segment.</param>
    /// <param name="recordsEnd">The offset in a segment up to which bytes are counted.</param>
    /// <param name="budgetBytes">The bytes that may be mapped.</param>
    public ResidentMemory(nint[] bases, long segmentBytes, long recordsEnd, long budgetBytes)
    {
        _bases = bases;
        _chunks = new byte[]?[bases.Length];
        _segmentBytes = segmentBytes;
        _recordsEnd = recordsEnd;
        _budget = Math.Max(budgetBytes / ChunkBytes, 1);
        _slack = Math.Max(segmentBytes / ChunkBytes / 4, 1);
        _target = _budget - Math.Min(_budget / 16, _slack);
    }

    /// <summary>Gets the bytes that count as mapped.</summary>
    public long Bytes => Volatile.Read(ref _warm) * ChunkBytes;

    /// <summary>Gets the bytes that were given up for other memory.</summary>
    public long GivenUpBytes => Volatile.Read(ref _givenUp);

    /// <summary>Gets the bytes that stay mapped while more are used. A little less than the budget, so that not every use gives some back.</summary>
    public long TargetBytes => Volatile.Read(ref _target) * ChunkBytes;

    /// <summary>Gets whether mapping a chunk may require giving another one back.</summary>
    public bool IsFull => Volatile.Read(ref _warm) >= _target && LinuxKernel.IsSupported;

    /// <summary>Calculates the chunk of an offset in a segment, counted from the chunk of the segment's first byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ChunkOf(nint segment, long offset) => (int)(((segment & (nint)(ChunkBytes - 1)) + (nint)offset) >> ChunkShift);

    /// <summary>Begins to count the chunks of a slot that was mapped.</summary>
    public void Add(int slot) => _chunks[slot] ??= new byte[(_segmentBytes / ChunkBytes) + 2];

    /// <summary>Counts bytes of a segment as mapped. Called before they are read or written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Use(int slot, long offset, long bytes)
    {
        Debug.Assert(offset >= 0 && bytes > 0 && offset + bytes <= _recordsEnd, "The bytes are outside the records.");
        var segment = _bases[slot];
        var first = ChunkOf(segment, offset);
        var last = ChunkOf(segment, offset + bytes - 1);
        var chunks = _chunks[slot]!;
        if (first == last ? chunks[first] != Used : chunks.AsSpan(first, last - first + 1).ContainsAnyExcept(Used))
        {
            MakeUsed(chunks.AsSpan(first, last - first + 1));
        }
    }

    /// <summary>Finds a slot that is mapped. Without a lease it may be unmapped at any time.</summary>
    // SAFETY: only passes the address on.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool TryFind(int slot, out MappedSegment segment)
    {
        var (bases, chunks) = (_bases, _chunks);
        if ((uint)slot >= (uint)bases.Length || (uint)slot >= (uint)chunks.Length)
        {
            segment = default;
            return false;
        }

        // A mapped slot has chunks, and keeps them when it is unmapped.
        segment = new MappedSegment((byte*)Volatile.Read(ref bases[slot]), chunks[slot]);
        return segment.IsMapped;
    }

    /// <summary>Determines whether the slot is still mapped at the address where it was found. Asked with a lease, the answer stays true while the lease is held.</summary>
    // SAFETY: compares addresses, and reads nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsStillAt(int slot, MappedSegment segment) => Volatile.Read(ref _bases[slot]) == (nint)segment.Start;

    /// <summary>
    /// Determines whether a record is better copied from the file, because its chunk is cold and mapping it would displace another one. A few of these reads still map the chunk,
    /// so that chunks that are read often come into memory.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCopyBetter(int slot, long offset) => ChunkAt(slot, offset) == Cold && IsFull && (_copied++ & (CopiesPerMapping - 1)) != 0;

    /// <summary>Determines whether the chunk of an offset counts as mapped.</summary>
    public bool IsWarm(int slot, long offset) =>
        Volatile.Read(ref _bases[slot]) is var segment && segment != 0
        && ChunkAt(slot, offset) != Cold;

    /// <summary>Reduces the budget permanently: by all bytes that were given up until now, rounded up to whole chunks.</summary>
    public void GiveUp(long bytes)
    {
        lock (_hand)
        {
            var before = ChunksOf(_givenUp);
            _givenUp += bytes;
            _budget = Math.Max(_budget - (ChunksOf(_givenUp) - before), FewestChunks);
            _target = _budget - Math.Min(_budget / 16, _slack);
        }

        if (Volatile.Read(ref _warm) is var warm && warm > _target)
        {
            KeepBudget(warm);
        }

        static long ChunksOf(long bytes) => (bytes + ChunkBytes - 1) / ChunkBytes;
    }

    /// <summary>Gives a whole segment back before it is unmapped. The hand does not visit it afterwards.</summary>
    public void Remove(int slot)
    {
        lock (_hand)
        {
            ForgetChunks(slot);
            _bases[slot] = 0;
        }
    }

    /// <summary>Gives a whole segment back before another file is mapped in its slot.</summary>
    public void Forget(int slot)
    {
        lock (_hand)
        {
            ForgetChunks(slot);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte ChunkAt(int slot, long offset) => _chunks[slot]![ChunkOf(_bases[slot], offset)];

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeUsed(Span<byte> chunks)
    {
        // Making room for one chunk may cool another one of these, so they are checked a second time.
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
            // Room is made before the chunk is touched, so that the hand does not give this chunk back at once.
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

    // One thread turns the hand. The others continue, unless they map faster than it gives back.
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

    // Visits the rest of a segment, or less when the target is reached.
    private void TurnHand()
    {
        Debug.Assert(_hand.IsHeldByCurrentThread, "One thread at a time turns the hand.");
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
        Debug.Assert(_hand.IsHeldByCurrentThread, "The hand would count the chunks too.");
        foreach (ref var chunk in _chunks[slot].AsSpan())
        {
            if (Interlocked.Exchange(ref chunk, Cold) != Cold)
            {
                Interlocked.Decrement(ref _warm);
            }
        }

        GiveBack(slot, 0, _chunks[slot]!.Length);
    }

    // Returns false when the chunk was used since the last turn of the hand.
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

    // SAFETY: the range is cut to the records of the segment, and the lock of the hand keeps it mapped.
    private unsafe void GiveBack(int slot, int firstChunk, int endChunk)
    {
        if (firstChunk >= endChunk || !LinuxKernel.IsSupported)
        {
            return;
        }

        var segment = _bases[slot];
        var origin = segment >> ChunkShift;
        var start = Math.Max((origin + firstChunk) << ChunkShift, segment);
        var end = Math.Min((origin + endChunk) << ChunkShift, segment + (nint)_recordsEnd);
        if (segment != 0 && start < end)
        {
            LinuxKernel.DontNeed((byte*)start, (nuint)(end - start));
        }
    }
}
