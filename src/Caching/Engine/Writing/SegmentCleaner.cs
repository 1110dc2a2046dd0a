namespace BufferedMessages.Caching;

/// <summary>
/// Selects the segments that are emptied next. While live data is below the budget that is the one with the fewest live bytes, and all of its entries are carried over. Above it, entries
/// are evicted.
/// </summary>
/// <param name="store">The cache.</param>
/// <param name="book">The live bytes of the segments.</param>
/// <param name="emptier">Empties segments.</param>
/// <param name="pool">Knows the room for carried entries.</param>
internal sealed class SegmentCleaner(CacheStore store, SegmentBook book, SegmentEmptier emptier, SegmentPool pool)
{
    // Live data is above the budget when less than a sixteenth of the full segments is dead. A segment is cleaned then only if that gains an eighth of it.
    private const int SpareParts = 16;
    private const int GainParts = 8;

    // Below the budget any gain will do. Large entries may leave none, because they do not fit together.
    private const int LeastGainParts = 64;

    // Live data fits into the memory if an eighth of the memory is left for garbage.
    private const int GarbageParts = 8;

    // Carrying a quarter of a segment takes less time than the first writes to the pages of a new file.
    private const int CheapParts = 4;

    // With a smaller gain, carrying takes longer than reading from the files.
    private const int WorthwhileGainParts = 4;

    // Entries that were read are evicted too when they are more than three quarters of the segment.
    private const double MostCarried = 0.75;

    // The part of the segments that new entries fill before they are compared with carried ones.
    private const int NewParts = 50;

    private readonly long _segmentBytes = book.SegmentBytes;

    /// <summary>
    /// Determines whether it is better to empty a segment than to create another one: hardly anything in it is live, or all live data fits into the memory, and the garbage with it does not.
    /// Nothing is evicted for it.
    /// </summary>
    /// <param name="segments">The number of segments.</param>
    /// <param name="full">The full ones.</param>
    public bool ShouldClean(int segments, List<int> full)
    {
        if (full.Count == 0)
        {
            return false;
        }

        var best = full.MaxBy(book.DeadBytes);
        var memory = store.Segments.Memory.TargetBytes;
        var isPressed = (segments + 1) * _segmentBytes > memory && full.Sum(book.LiveBytes) <= memory - (memory / GarbageParts);
        return book.LiveBytes(best) <= pool.RoomToCarry && (isPressed ? book.DeadBytes(best) >= _segmentBytes / WorthwhileGainParts : IsCheap(best));
    }

    /// <summary>Empties one or two segments.</summary>
    /// <param name="full">The full segments, the oldest first.</param>
    /// <param name="isTooLarge">Whether there are more segments than the budget has room for.</param>
    /// <param name="part">The part of the segments that the budget has room for. If no larger part of each one is carried over, no entry is carried over only to be evicted.</param>
    /// <param name="onlyCleans">Whether nothing is evicted, because another segment can be created.</param>
    /// <param name="isHeld">Whether it is better to wait for emptied segments that leases hold than to evict for lack of room to carry.</param>
    /// <returns>The segments that were emptied: none when live entries stay for lack of room to carry.</returns>
    public int[] EmptySome(List<int> full, bool isTooLarge, double part, bool onlyCleans, bool isHeld)
    {
        if (full.Count == 0)
        {
            return [];
        }

        var bytes = full.Count * _segmentBytes;
        var isBelow = !isTooLarge && full.Sum(book.LiveBytes) <= bytes - (bytes / SpareParts);
        if (!isBelow)
        {
            DropExpired(full);
        }

        var best = full.MaxBy(book.DeadBytes);
        var isWorthwhile = book.DeadBytes(best) >= _segmentBytes / (isBelow ? LeastGainParts : GainParts) || (onlyCleans && IsCheap(best));
        if (isWorthwhile && book.LiveBytes(best) <= pool.RoomToCarry && emptier.TryClean(best))
        {
            return [best];
        }

        var room = pool.RoomToCarry;
        return onlyCleans || (isHeld && (isWorthwhile || room < _segmentBytes / 2)) ? [] : Evict(full, room, isTooLarge, part);
    }

    /// <summary>Processes the keys that were asked for since the last call.</summary>
    /// <param name="entries">The number of entries that the cache has or will have when it is full.</param>
    public void Prepare(long entries) => store.Choice.Update(entries, store.Leases.Table.Count + store.Counters.Misses.Sum, store.Index.Table);

    // A large value may have left most of the segment unused.
    private bool IsCheap(int slot) => book.LiveBytes(slot) <= _segmentBytes / CheapParts;

    // Expired entries are dead, and are found before others are evicted.
    private void DropExpired(List<int> full)
    {
        var now = ExpiryTimes.Now(store.Clock);
        foreach (var slot in full.Where(slot => book.Expiry(slot) <= now))
        {
            emptier.DropExpired(slot, _segmentBytes / SpareParts);
        }
    }

    private int[] Evict(List<int> full, long room, bool isTooLarge, double part)
    {
        Prepare(store.Control.Entries);
        if (store.Choice.PrefersRecent || full.Count < 2 || isTooLarge)
        {
            var slot = isTooLarge ? full[0] : LeastRead(full);
            emptier.Evict([slot], Math.Min(room, (long)(_segmentBytes * Math.Min(part, MostCarried))));
            return [slot];
        }

        // Two segments become one, of those of their entries that were read more often.
        var pair = PairOf(full);
        emptier.Evict(pair, Math.Min(room, store.Segments.RecordsEnd - SegmentHeader.Bytes));
        return [.. pair];
    }

    // The oldest segment of new entries or the oldest one of carried entries: the one of which a smaller part was read in relation to its age.
    private int LeastRead(List<int> full)
    {
        var fresh = full.FindIndex(slot => !book.IsCarried(slot));
        var carried = full.FindIndex(book.IsCarried);
        return fresh < 0 || carried < 0 || ReadRate(full[fresh]) <= ReadRate(full[carried]) ? full[Math.Max(fresh, 0)] : full[carried];
    }

    private double ReadRate(int slot)
    {
        var age = Volatile.Read(ref store.Control.Header.Sequence) - book.OpenSequence(slot);
        return emptier.PartRead(slot) / Math.Max(age, 1);
    }

    private List<int> PairOf(List<int> full)
    {
        var fresh = full.FindAll(slot => !book.IsCarried(slot));
        var carried = full.FindAll(book.IsCarried);
        var few = Math.Max(full.Count / NewParts, 1);
        return (fresh.Count, carried.Count) switch
        {
            ( >= 2, < 2) => fresh.GetRange(0, 2),
            (_, < 2) => full.GetRange(0, 2),
            var (count, _) when count >= few + 2 => fresh.GetRange(0, 2),
            var (count, _) when count >= few => [fresh[0], carried[0]],
            _ => carried.GetRange(0, 2),
        };
    }
}
