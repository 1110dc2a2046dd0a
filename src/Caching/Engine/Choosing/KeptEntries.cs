namespace BufferedMessages.Caching;

/// <summary>
/// Chooses the entries of some segments that are kept while the others are evicted. Each entry has a rank; the highest ranks are kept as far as there is room.
/// </summary>
/// <param name="prefersRecent">
/// Whether only entries that were read since they were written are kept; otherwise those that were read often, and among equals those that were kept before.
/// </param>
internal sealed class KeptEntries(bool prefersRecent)
{
    private const int Ranks = (2 * IndexCell.MaxReads) + 3;

    // The rank of entries that are not kept even if there is room.
    private const int Unkept = 0;

    private readonly long[] _bytes = new long[Ranks];
    private int _last;
    private long _roomOfLast;

    /// <summary>Adds an entry to the bytes of its rank.</summary>
    public void Weigh(ulong word, int reads, bool isCarried, long bytes) => _bytes[RankOf(word, reads, isCarried)] += bytes;

    /// <summary>Finds the lowest rank that is kept, and how much of it.</summary>
    public void Choose(long room)
    {
        for (_last = Ranks - 1; _last > Unkept && _bytes[_last] <= room; _last--)
        {
            room -= _bytes[_last];
        }

        _roomOfLast = _last == Unkept ? 0 : room;
    }

    /// <summary>Determines whether an entry is kept.</summary>
    public bool TryKeep(ulong word, int reads, bool isCarried, long bytes)
    {
        var rank = RankOf(word, reads, isCarried);
        if (rank != _last)
        {
            return rank > _last;
        }

        if (bytes > _roomOfLast)
        {
            return false;
        }

        _roomOfLast -= bytes;
        return true;
    }

    private int RankOf(ulong word, int reads, bool isCarried)
    {
        var isRead = (word & IndexWord.Referenced) != 0;
        return prefersRecent
            ? isRead ? 1 + reads : Unkept
            : 1 + (2 * reads) + (isCarried ? 1 : 0);
    }
}
