using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// A walk over the records of a segment that are not marked as dead. It is a group ahead, so that the processor loads its records, and their parts of the index, at the same time. When memory is
/// short, the records are copies.
/// </summary>
internal sealed class LiveRecords(CacheStore store, IndexWriter index)
{
    private const int GroupLength = 32;
    private const int SampleLength = 256;

    private readonly LiveRecord[] _group = new LiveRecord[GroupLength];
    private readonly SegmentMap _segments = store.Segments;
    private readonly SegmentWindow _window = new(store.Segments, store.ExpiryChanges);
    private SegmentWalk _walk;
    private int _slot;
    private int _left;
    private int _next;
    private int _count;

    /// <summary>Begins with the first record.</summary>
    /// <param name="slot">A segment to which no thread writes.</param>
    public void Begin(int slot)
    {
        _segments.ReadAhead(slot, 0, _segments.SegmentBytes);
        Begin(slot, int.MaxValue);
    }

    /// <summary>Begins with the first record of a sample, which ends after a few hundred records.</summary>
    /// <inheritdoc cref="Begin(int)" path="/param"/>
    public void BeginSample(int slot) => Begin(slot, SampleLength);

    /// <summary>Moves to the next record, which may be dead by now. It is valid until the next call.</summary>
    public bool TryNext(out LiveRecord record)
    {
        if (_next == _count)
        {
            Fill();
        }

        var isThere = _next < _count;
        record = isThere ? _group[_next++] : default;
        return isThere;
    }

    private void Begin(int slot, int most)
    {
        _window.Begin(slot);
        _walk = new SegmentWalk(_segments, slot, _segments.Memory.IsFull ? _window : null);
        _slot = slot;
        _left = most;
        (_next, _count) = (0, 0);
    }

    private void Fill()
    {
        (_next, _count) = (0, 0);

        // A group also ends with its window, which has few large records.
        var most = Math.Min(_group.Length, _left);
        while (_count < most && _walk.MoveToUnmarked(keepsWindow: _count != 0))
        {
            var hash = XxHash64.Hash(_walk.Record.Key);
            index.Prefetch(hash);
            _walk.Record.Prefetch();
            _group[_count++] = new LiveRecord(_walk.Record, _segments.LocationOf(_slot, _walk.Position), hash, _walk.IsCopy ? _window.ExpiryChanges : null);
        }

        _left -= _count;
    }
}
