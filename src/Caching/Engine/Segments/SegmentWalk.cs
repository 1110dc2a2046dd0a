using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>A walk over the records of a segment to which no thread writes. Unfinished records are skipped.</summary>
internal struct SegmentWalk(SegmentMap segments, int slot)
{
    // The next records are probably as long as this one.
    private const int RecordsAhead = 8;

    private long _next = SegmentHeader.Bytes;

    /// <summary>Gets the offset of the current record; after the walk, the offset after the last one.</summary>
    public long Position { get; private set; }

    /// <summary>Gets the current record.</summary>
    public CacheRecord Record { get; private set; }

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
    public bool MoveNext() => TryMove(skipsDead: false);

    /// <summary>Moves to the next record that is not marked as dead.</summary>
    public bool MoveToUnmarked() => TryMove(skipsDead: true);

    private bool TryMove(bool skipsDead)
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
            var word = Volatile.Read(ref segments.WordAt(slot, _next));
            if (word == RecordWord.Free || RecordWord.State(word) > RecordWord.Padding || !RecordWord.HasValidLength(word, remaining))
            {
                IsWhole = word == RecordWord.Free;
                return false;
            }

            var bytes = RecordWord.Bytes(word);
            _next += bytes;
            segments.PrefetchHead(slot, _next + (RecordsAhead * bytes));
            if ((!skipsDead || !segments.IsDead(slot, Position)) && segments.TryRead(slot, Position, out var record))
            {
                Record = record;
                return true;
            }
        }
    }
}
