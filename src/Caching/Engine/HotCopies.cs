using System.Numerics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>
/// Copies of entries that are read again and again but are not in mapped memory: what is mapped comes in chunks, which are full of what nobody reads. A table says where the copy of the
/// entry at a location is; its bucket is that of the key's hash, so that a processor can load it together with the index. Copies stand one behind the other in pages. A page is made room
/// in by dropping what was not read since its last turn, and by moving the rest together (the second chance of the clock algorithm).
/// </summary>
/// <remarks>
/// Readers take no lock: they find a copy, lease its page as they would a segment, and look whether the index and then the table still say the same. Who changes a page
/// removes its copies from the table first, fences all threads, and looks for leases. Who reuses a segment waits for its leases, and has its copies forgotten before anything else is at
/// their locations. One thread at a time adds copies; others go without.
/// </remarks>
internal sealed unsafe class HotCopies : IDisposable
{
    private const ulong Nothing = 0;

    // Of a word of the table: location · read since the page's last turn · copy, in units.
    private const int LocationBits = 36;
    private const int UnitsShift = LocationBits + 1;
    private const int UnitShift = 4;
    private const ulong LocationMask = (1UL << LocationBits) - 1;
    private const ulong IsRead = 1UL << LocationBits;
    private const long MaxBytes = 1L << (64 - UnitsShift + UnitShift);

    // In front of each copy: u64 location · u32 bytes of the record · u32 bucket, and whether it is kept.
    private const int HeaderBytes = 16;
    private const int BytesOffset = 8;
    private const int BucketOffset = 12;
    private const uint IsKept = 1U << 31;

    private const int BytesPerWord = 128;
    private const int MinPageShift = 16;
    private const int MaxPages = 128;

    // Leases name pages by numbers that no segment has.
    private const int FirstPageSlot = ushort.MaxValue - MaxPages - 1;

    private readonly Lock _adding = new();
    private readonly LeaseTable _leases;
    private readonly ResidentMemory _mapped;

    private readonly int _buckets;
    private readonly int _pageShift;
    private readonly nint[] _pages;
    private readonly nint[] _ends;

    // Readers look into the table without a lease, so the garbage collector keeps it. Null as long as there is no page.
    private ulong[]? _words;
    private ulong* _table;
    private int _usedPages;
    private int _page = -1;

    // Where the next copy goes, in the page; null when none can go there.
    private byte* _tail;
    private long _forgotten;

    /// <param name="budgetBytes">The most bytes in all, which is some pages at least: the smallest memory budget is a megabyte.</param>
    /// <param name="leases">Where readers lease pages.</param>
    /// <param name="mapped">Gives up memory for each page that is used.</param>
    public HotCopies(long budgetBytes, LeaseTable leases, ResidentMemory mapped)
    {
        var bytes = Math.Min(budgetBytes, MaxBytes);
        _leases = leases;
        _mapped = mapped;
        _buckets = (int)BitOperations.RoundUpToPowerOf2((ulong)(bytes / (BytesPerWord * Bucket.Words)));
        _pageShift = Math.Max(BitOperations.Log2((ulong)bytes / (MaxPages / 2)), MinPageShift);
        _pages = new nint[bytes >> _pageShift];
        _ends = new nint[_pages.Length];
    }

    private int PageBytes => 1 << _pageShift;

    private byte* PageStart => (byte*)_pages[_page];

    /// <summary>Bytes in use.</summary>
    public long Bytes => (long)Volatile.Read(ref _usedPages) << _pageShift;

    /// <summary>How often something was forgotten: a copy that is made of older bytes is refused.</summary>
    public long Forgotten => Volatile.Read(ref _forgotten);

    /// <summary>Begins to load what <see cref="TryFind"/> will look at.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong hash)
    {
        if (Volatile.Read(ref _usedPages) != 0)
        {
            ProcessorCache.Prefetch((byte*)BucketAt(BucketOf(hash)), Bucket.Bytes);
        }
    }

    /// <summary>Finds the copy of the entry at a location.</summary>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="location">The location.</param>
    /// <param name="copy">Where it is said to be; it may not be read before its page is leased, and <see cref="IsCurrent"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(ulong hash, long location, out HotCopy copy)
    {
        if (Volatile.Read(ref _usedPages) == 0)
        {
            copy = default;
            return false;
        }

        var cell = CellOf(BucketAt(BucketOf(hash)), location);
        var word = Volatile.Read(ref *cell);
        copy = new HotCopy(cell, word);
        return (word & LocationMask) == (ulong)location;
    }

    /// <summary>The number by which the page of a copy is leased.</summary>
    public int SlotOf(HotCopy copy) => FirstPageSlot + PageOf(copy.Word);

    /// <summary>The copy is still there. Notes that it is read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCurrent(HotCopy copy)
    {
        var word = Volatile.Read(ref *copy.Cell);
        if ((word & IsRead) == 0 && word == copy.Word)
        {
            Interlocked.CompareExchange(ref *copy.Cell, word | IsRead, word);
        }

        return ((word ^ copy.Word) & ~IsRead) == 0;
    }

    /// <summary>The record of a copy, and the bytes from there to the end of its page.</summary>
    public byte* RecordOf(HotCopy copy, out long remaining)
    {
        var offset = (OffsetOf(copy.Word) & (PageBytes - 1)) + HeaderBytes;
        remaining = PageBytes - offset;
        return (byte*)_pages[PageOf(copy.Word)] + offset;
    }

    /// <summary>Adds a copy, unless somebody else is just adding one, or there is no room.</summary>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="location">The location of the entry, whose segment the caller has leased.</param>
    /// <param name="record">Its bytes, which are whole.</param>
    /// <param name="bytes">How many.</param>
    /// <param name="forgotten">What <see cref="Forgotten"/> was before the bytes were read.</param>
    public void TryAdd(ulong hash, long location, byte* record, uint bytes, long forgotten)
    {
        if (!_adding.TryEnter())
        {
            return;
        }

        try
        {
            if (forgotten == _forgotten && !TryFind(hash, location, out _) && TryMakeRoom(SizeOf(bytes)))
            {
                *(long*)_tail = location;
                *(uint*)(_tail + BytesOffset) = bytes;
                *(uint*)(_tail + BucketOffset) = BucketOf(hash);
                Buffer.MemoryCopy(record, _tail + HeaderBytes, bytes, bytes);
                PublishTail();
            }
        }
        finally
        {
            _adding.Exit();
        }
    }

    /// <summary>Forgets the copy of one entry: its expiry was changed.</summary>
    public void Forget(ulong hash, long location)
    {
        lock (_adding)
        {
            _forgotten++;
            if (TryFind(hash, location, out var copy))
            {
                Volatile.Write(ref *copy.Cell, Nothing);
            }
        }
    }

    /// <summary>Forgets the copies of a whole segment, which nobody leases and nothing leads to.</summary>
    /// <param name="firstLocation">The location of its first byte.</param>
    /// <param name="endLocation">The location behind its last byte.</param>
    public void Forget(long firstLocation, long endLocation)
    {
        lock (_adding)
        {
            for (var cell = _table; cell < _table + (Bytes == 0 ? 0 : (long)_buckets * Bucket.Words); cell++)
            {
                var location = (long)(*cell & LocationMask);
                if (location >= firstLocation && location < endLocation)
                {
                    Volatile.Write(ref *cell, Nothing);
                }
            }
        }
    }

    /// <summary>Gives the pages back. Nobody has a lease any more.</summary>
    public void Dispose()
    {
        foreach (var page in _pages.AsSpan(0, _usedPages))
        {
            KeptMemory.GiveBack((byte*)page, (nuint)PageBytes);
        }
    }

    private static long OffsetOf(ulong word) => (long)(word >> UnitsShift) << UnitShift;

    private static int SizeOf(byte* copy) => SizeOf(*(uint*)(copy + BytesOffset));

    private static int SizeOf(uint recordBytes) => (HeaderBytes + (int)recordBytes + (1 << UnitShift) - 1) & -(1 << UnitShift);

    private int PageOf(ulong word) => (int)(OffsetOf(word) >> _pageShift);

    // Of a copy in the page that is being changed.
    private ulong WordOf(long location, byte* copy) => (ulong)location | ((ulong)((((long)_page << _pageShift) + (copy - PageStart)) >> UnitShift) << UnitsShift);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint BucketOf(ulong hash) => (uint)(hash >> 32) & (uint)(_buckets - 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* BucketAt(uint number) => _table + ((long)number * Bucket.Words);

    // The cell with the location; another one of its bucket when there is none.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong* CellOf(ulong* bucket, long location) =>
        bucket + (BitOperations.TrailingZeroCount(Bucket.Matches(bucket, LocationMask, (ulong)location)) % Bucket.Words);

    // The cell that a new copy gets: an empty one, else one that was not read, else the one that comes by.
    private ulong* CellFor(ulong* bucket)
    {
        ulong* unread = null;
        for (var cell = bucket; cell < bucket + Bucket.Words; cell++)
        {
            if (*cell == Nothing)
            {
                return cell;
            }

            unread = (*cell & IsRead) == 0 ? cell : unread;
        }

        return unread is null ? bucket + (((nint)_tail >> UnitShift) % Bucket.Words) : unread;
    }

    private bool TryMakeRoom(int bytes)
    {
        for (var pages = 0; _tail is null || _tail + bytes > PageStart + PageBytes; pages++)
        {
            if (pages > _ends.Length)
            {
                return false;
            }

            if (_tail is not null)
            {
                _ends[_page] = (nint)_tail;
            }

            _page = (_page + 1) % _ends.Length;
            _tail = _page == _usedPages ? AddPage() : TryCompact();
        }

        return true;
    }

    // Null when the system has no memory: a read does without a copy.
    private byte* AddPage()
    {
        try
        {
            if (_words is null)
            {
                _words = Bucket.Allocate(_buckets, out _table);
            }

            _pages[_page] = (nint)KeptMemory.Take((nuint)PageBytes);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }

        _mapped.GiveUp(PageBytes);

        // Whoever sees a page sees the table.
        Volatile.Write(ref _usedPages, _usedPages + 1);
        return PageStart;
    }

    // Drops what was not read since the last time, and moves the rest together. Null when somebody reads the page: it stays as it is, and nothing leads there any more.
    private byte* TryCompact()
    {
        for (var copy = PageStart; copy < (byte*)_ends[_page]; copy += SizeOf(copy))
        {
            var location = *(long*)copy;
            var bucket = *(uint*)(copy + BucketOffset) & ~IsKept;
            var cell = CellOf(BucketAt(bucket), location);
            var word = Volatile.Read(ref *cell);
            var isHere = (word & ~IsRead) == WordOf(location, copy);
            *(uint*)(copy + BucketOffset) = isHere && (word & IsRead) != 0 ? bucket | IsKept : bucket;
            if (isHere)
            {
                Volatile.Write(ref *cell, Nothing);
            }
        }

        Interlocked.MemoryBarrierProcessWide();
        return _leases.Holds(FirstPageSlot + _page) ? null : MoveTogether();
    }

    private byte* MoveTogether()
    {
        // Something is always dropped, else the next page would have to be looked at, and the next.
        var limit = PageStart + (PageBytes / 4 * 3);
        _tail = PageStart;
        for (byte* copy = _tail, next; copy < (byte*)_ends[_page]; copy = next)
        {
            var size = SizeOf(copy);
            next = copy + size;
            if ((*(uint*)(copy + BucketOffset) & IsKept) != 0 && _tail + size <= limit)
            {
                Buffer.MemoryCopy(copy, _tail, size, size);
                PublishTail();
            }
        }

        return _tail;
    }

    private void PublishTail()
    {
        var bucket = *(uint*)(_tail + BucketOffset) & ~IsKept;
        Volatile.Write(ref *CellFor(BucketAt(bucket)), WordOf(*(long*)_tail, _tail));
        _tail += SizeOf(_tail);
    }
}
