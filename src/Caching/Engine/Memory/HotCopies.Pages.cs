using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <content>The pages of the copies, changed by one thread at a time.</content>
internal sealed unsafe partial class HotCopies
{
    // SAFETY: KeptMemory keeps the page.
    private byte* PageStart => (byte*)_pages[_page];

    /// <summary>Adds a copy, unless another thread is adding one, or the copy does not fit.</summary>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="location">The location of the entry, whose segment the caller has leased.</param>
    /// <param name="record">The record, which is whole.</param>
    /// <param name="forgotten">The value of <see cref="Forgotten"/> before the record was read.</param>
    // SAFETY: TryMakeRoom leaves room for the copy between the tail and the end of its page.
    public void TryAdd(ulong hash, long location, CacheRecord record, long forgotten)
    {
        if (!_adding.TryEnter())
        {
            return;
        }

        try
        {
            if (forgotten == _forgotten && !TryFind(hash, location, out _) && TryMakeRoom(SizeOf(record.Bytes)))
            {
                *(long*)_tail = location;
                *(uint*)(_tail + BytesOffset) = record.Bytes;
                *(uint*)(_tail + BucketOffset) = BucketOf(hash);
                Buffer.MemoryCopy(record.Start, _tail + HeaderBytes, record.Bytes, record.Bytes);
                PublishTail();
            }
        }
        finally
        {
            _adding.Exit();
        }
    }

    // SAFETY: the caller passes a copy in the current page.
    private static int SizeOf(byte* copy) => SizeOf(*(uint*)(copy + BytesOffset));

    private static int SizeOf(uint recordBytes) => (HeaderBytes + (int)recordBytes + (1 << UnitShift) - 1) & -(1 << UnitShift);

    // SAFETY: only calculates with the address of a copy in the current page.
    private ulong WordOf(long location, byte* copy)
    {
        Debug.Assert(copy >= PageStart && copy < PageStart + PageBytes, "The copy is in another page.");
        return (ulong)location | ((ulong)((((long)_page << _pageShift) + (copy - PageStart)) >> UnitShift) << UnitsShift);
    }

    // Selects an empty cell for a new copy, or one that was not read, or an arbitrary one.
    // SAFETY: the loop and the remainder stay inside the bucket.
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

    // SAFETY: the tail is compared with the end of its page.
    private bool TryMakeRoom(int bytes)
    {
        Debug.Assert(_adding.IsHeldByCurrentThread, "One thread at a time changes pages.");
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

    // Null when the system has no memory: reads do without copies.
    // SAFETY: Bucket.Allocate gives as many buckets as BucketOf selects from.
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

        // A thread that reads this number also sees the table.
        Volatile.Write(ref _usedPages, _usedPages + 1);
        return PageStart;
    }

    // Drops the copies that were not read since the last turn, and moves the rest together. Null when a lease holds the page: it stays as it is, and the table no longer leads there.
    // SAFETY: the loop ends with the page's last copy; sizes are those that TryAdd has written.
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

    // SAFETY: no lease holds the page; copies move only towards its start.
    private byte* MoveTogether()
    {
        // At least a quarter is dropped, or the next page would have to make room as well.
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

    // SAFETY: a whole copy was just written at the tail.
    private void PublishTail()
    {
        var bucket = *(uint*)(_tail + BucketOffset) & ~IsKept;
        Debug.Assert(bucket < _buckets, "The bucket is outside the table.");
        Volatile.Write(ref *CellFor(BucketAt(bucket)), WordOf(*(long*)_tail, _tail));
        _tail += SizeOf(_tail);
        Debug.Assert(_tail <= PageStart + PageBytes, "The copy ends outside its page.");
    }
}
