using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>A walk over the records of a segment to which no thread writes. Unfinished records are skipped.</summary>
/// <param name="segments">The segments.</param>
/// <param name="slot">The slot of the segment.</param>
/// <param name="window">Reads the records from the file; null to read them where they are mapped.</param>
internal struct SegmentWalk(SegmentMap segments, int slot, SegmentWindow? window = null)
{
    // The next records are probably as long as this one.
    private const int RecordsAhead = 8;

    private long _next = SegmentHeader.Bytes;

    /// <summary>Gets the offset of the current record; after the walk, the offset after the last one.</summary>
    public long Position { get; private set; }

    /// <summary>Gets the current record.</summary>
    public CacheRecord Record { get; private set; }

    /// <summary>Gets whether the current record is a copy in the window.</summary>
    public readonly bool IsCopy => window is not null && window.Fits(Record.Bytes);

    /// <summary>Gets whether the walk has ended at the end of the records, and not at a damaged one.</summary>
    public bool IsWhole { get; private set; }

    /// <summary>Finds the position of the next record of a segment; the end of the segment when a damaged record hides it.</summary>
    public static long EndOf(SegmentMap segments, int slot)
    {
        var walk = new SegmentWalk(segments, slot);
        while (walk.MoveNext())
        {
        }

        return walk.IsWhole ? walk.Position : segments.RecordsEnd;
    }

    /// <summary>Moves to the next record.</summary>
    public bool MoveNext() => TryMove(skipsDead: false, keepsWindow: false);

    /// <summary>Moves to the next record that is not marked as dead.</summary>
    /// <param name="keepsWindow">Whether the window stays where it is: the result is false if the next record is not in it. The next call finds that record.</param>
    public bool MoveToUnmarked(bool keepsWindow = false) => TryMove(skipsDead: true, keepsWindow);

    private bool TryMove(bool skipsDead, bool keepsWindow)
    {
        while (true)
        {
            Position = _next;
            if (_next >= segments.RecordsEnd)
            {
                IsWhole = _next == segments.RecordsEnd;
                return false;
            }

            var remaining = segments.RecordsEnd - _next;
            if (!TryReach(sizeof(ulong), keepsWindow))
            {
                return false;
            }

            var word = window is null ? Volatile.Read(ref segments.WordAt(slot, _next)) : window.WordAt(_next);
            if (word == RecordWord.Free || RecordWord.State(word) > RecordWord.Padding || !RecordWord.HasValidLength(word, remaining))
            {
                IsWhole = word == RecordWord.Free;
                return false;
            }

            var bytes = RecordWord.Bytes(word);
            var isDead = skipsDead && segments.IsDead(slot, Position);
            if (!isDead && !TryReach(bytes, keepsWindow))
            {
                return false;
            }

            _next += bytes;
            if (window is null)
            {
                segments.PrefetchHead(slot, _next + (RecordsAhead * bytes));
            }

            if (!isDead && TryRead(bytes, out var record))
            {
                Record = record;
                return true;
            }
        }
    }

    // False if the window had to move and must not.
    private readonly bool TryReach(long bytes, bool keepsWindow)
    {
        if (window is not null && window.Fits(bytes) && !window.Contains(_next, bytes))
        {
            if (keepsWindow)
            {
                return false;
            }

            window.MoveTo(_next);
        }

        return true;
    }

    private readonly bool TryRead(uint bytes, out CacheRecord record) =>
        window is null || !window.Fits(bytes) ? segments.TryRead(slot, Position, out record) : window.TryRead(Position, bytes, out record);
}
