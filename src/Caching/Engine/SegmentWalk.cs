using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Walks over the records of a segment that nobody writes to. Unfinished records are stepped over.</summary>
internal unsafe struct SegmentWalk(CacheStore store, int slot)
{
    private readonly byte* _segment = store.Segment(slot);
    private readonly long _end = store.Control.SegmentBytes;
    private long _next = SegmentHeader.Bytes;

    /// <summary>Where the walk is: at the current record, and behind the last one when it is over.</summary>
    public long Position { get; private set; }

    /// <summary>The current record.</summary>
    public CacheRecord Record { get; private set; }

    /// <summary>The walk was over at a proper end, and not at a damaged record.</summary>
    public bool IsWhole { get; private set; }

    public bool MoveNext()
    {
        while (true)
        {
            Position = _next;
            if (_next >= _end)
            {
                IsWhole = _next == _end;
                return false;
            }

            store.Memory.Use(slot, _segment + _next, Math.Min(_end - _next, RecordWord.HeaderBytes));
            var word = Volatile.Read(ref *(ulong*)(_segment + _next));
            if (word == RecordWord.Free || RecordWord.State(word) > RecordWord.Padding || !RecordWord.HasValidLength(word, _end - _next))
            {
                IsWhole = word == RecordWord.Free;
                return false;
            }

            _next += RecordWord.Bytes(word);
            if (CacheRecord.TryRead(_segment + Position, _end - Position, out var record))
            {
                store.Memory.Use(slot, _segment + Position, record.Value - (_segment + Position));
                Record = record;
                return true;
            }
        }
    }
}
