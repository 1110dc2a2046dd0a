using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Copies of single entries that are read often but are not in mapped memory: memory is mapped in chunks, most bytes of which are seldom read. A table leads from the location of an
/// entry to its copy. The bucket is selected by the hash of the key, so that a processor can load it together with the index. Copies lie one after the other in pages.
/// A page gets room by the clock algorithm's second chance: copies that were not read since its last turn are dropped, and the rest is moved together.
/// </summary>
/// <remarks>
/// Readers take no lock: they find a copy, lease its page as they would a segment, and check that index and table still agree. A page is changed after its
/// copies are removed from the table, all threads are fenced, and no lease is found. A segment is reused after no lease of it is found, and its copies are forgotten before another
/// record gets one of their locations. One thread at a time adds copies; the others do without.
/// </remarks>
internal sealed unsafe partial class HotCopies : IDisposable
{
    private const ulong Nothing = 0;

    // Of a word of the table: location · read since the page's last turn · offset of the copy, in units.
    private const int LocationBits = 36;
    private const int UnitsShift = LocationBits + 1;
    private const int UnitShift = 4;
    private const ulong LocationMask = (1UL << LocationBits) - 1;
    private const ulong IsRead = 1UL << LocationBits;
    private const long MaxBytes = 1L << (64 - UnitsShift + UnitShift);

    // Before each copy: u64 location · u32 bytes of the record · u32 bucket, and whether it is kept.
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

    // Readers look into the table without a lease, so the garbage collector keeps it. Null before the first page.
    private ulong[]? _words;
    private ulong* _table;
    private int _usedPages;
    private int _page = -1;

    // The position of the next copy, in the current page; null when there is no room.
    private byte* _tail;
    private long _forgotten;

    /// <param name="budgetBytes">The most bytes in all, which is at least a few pages: the smallest memory budget is a megabyte.</param>
    /// <param name="leases">The table in which readers lease pages.</param>
    /// <param name="mapped">The mapped memory, which gives up bytes for each page.</param>
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

    /// <summary>Gets how often an entry was forgotten. A copy of bytes that were read before the last time is refused.</summary>
    public long Forgotten => Volatile.Read(ref _forgotten);

    private int PageBytes => 1 << _pageShift;

    /// <summary>Begins to load the bucket that <see cref="TryFind"/> will read.</summary>
    // SAFETY: BucketAt bounds the address; without a page there is no table.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong hash)
    {
        if (Volatile.Read(ref _usedPages) != 0)
        {
            ProcessorCache.Prefetch((byte*)BucketAt(BucketOf(hash)), Bucket.Bytes);
        }
    }

    /// <summary>Begins to load the record of a copy.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    public void Prefetch(HotCopy copy, int bytes) => ProcessorCache.Prefetch(RecordOf(copy, out _), bytes);

    /// <summary>Finds the copy of the entry at a location.</summary>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="location">The location.</param>
    /// <param name="copy">The copy. It may be read after its page is leased and <see cref="IsCurrent"/>.</param>
    // SAFETY: the remainder in CellOf keeps the cell inside the bucket, which BucketOf bounds; without a page there is no table.
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

    /// <summary>Gets the number by which the page of a copy is leased.</summary>
    public int SlotOf(HotCopy copy) => FirstPageSlot + PageOf(copy.Word);

    /// <summary>Determines whether the copy is still there, and notes that it is read.</summary>
    // SAFETY: the copy's cell is of this table.
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

    /// <summary>Reads the record of a copy, whose page is leased.</summary>
    // SAFETY: KeptMemory keeps the page; the rest of the page bounds the record.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(HotCopy copy, out CacheRecord record) => CacheRecord.TryRead(RecordOf(copy, out var remaining), remaining, out record);

    /// <summary>Forgets the copy of one entry, whose expiry was changed.</summary>
    // SAFETY: the copy's cell is of this table.
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

    /// <summary>Forgets the copies of a whole segment. No lease of it is held, and no entry leads to it.</summary>
    /// <param name="firstLocation">The location of its first byte.</param>
    /// <param name="locations">How many locations it has: a power of two, of which the first one is a multiple.</param>
    // SAFETY: the loop ends with the last bucket, and each match is a word of its bucket. Before the first page the table has no buckets.
    public void Forget(long firstLocation, long locations)
    {
        var mask = LocationMask & (ulong)-locations;
        lock (_adding)
        {
            var buckets = _usedPages == 0 ? 0 : (uint)_buckets;
            for (var number = 0u; number < buckets; number++)
            {
                var bucket = BucketAt(number);
                for (var matches = Bucket.Matches(bucket, mask, (ulong)firstLocation); matches != 0; matches &= matches - 1)
                {
                    Volatile.Write(ref bucket[BitOperations.TrailingZeroCount(matches)], Nothing);
                }
            }
        }
    }

    /// <summary>Returns the pages. No lease is held any more.</summary>
    // SAFETY: each page is as KeptMemory gave it.
    public void Dispose()
    {
        foreach (var page in _pages.AsSpan(0, _usedPages))
        {
            KeptMemory.GiveBack((byte*)page, (nuint)PageBytes);
        }
    }

    private static long OffsetOf(ulong word) => (long)(word >> UnitsShift) << UnitShift;

    private int PageOf(ulong word) => (int)(OffsetOf(word) >> _pageShift);

    // SAFETY: pages are added before words lead to them, and the array bounds their number.
    private byte* RecordOf(HotCopy copy, out long remaining)
    {
        var offset = (OffsetOf(copy.Word) & (PageBytes - 1)) + HeaderBytes;
        remaining = PageBytes - offset;
        return (byte*)_pages[PageOf(copy.Word)] + offset;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint BucketOf(ulong hash) => (uint)(hash >> 32) & (uint)(_buckets - 1);

    // SAFETY: BucketOf gives numbers below the number of buckets, which is a power of two; copies keep the number.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* BucketAt(uint number) => _table + ((long)number * Bucket.Words);

    // SAFETY: the remainder keeps the cell inside the bucket. Without a match it is another one of the bucket.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong* CellOf(ulong* bucket, long location) =>
        bucket + (BitOperations.TrailingZeroCount(Bucket.Matches(bucket, LocationMask, (ulong)location)) % Bucket.Words);
}
