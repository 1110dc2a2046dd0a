namespace BufferedMessages.Caching;

/// <summary>Walks over all entries of a cache that others may change meanwhile: what is there all the time is met.</summary>
internal unsafe struct EntryWalk
{
    private readonly CacheStore _store;
    private readonly IndexTable _table;
    private nint _bucket;
    private long _number;
    private int _index;

    public EntryWalk(CacheStore store)
    {
        _store = store;
        _table = store.Table;
        _bucket = (nint)_table.BucketAt(0);
    }

    /// <summary>Takes a lease of the next entry that a user may see.</summary>
    public bool MoveNext(out PinnedRecord pinned)
    {
        while (_number < _table.Buckets)
        {
            while (_index < IndexTable.Entries)
            {
                var cell = (ulong*)_bucket + _index++;
                var word = Volatile.Read(ref *cell);
                if (word != IndexWord.Empty && TryPin(cell, word, out pinned))
                {
                    if (IsPresentable(in pinned))
                    {
                        return true;
                    }

                    _store.Undo(pinned.Ticket);
                }
            }

            _index = 0;
            _bucket = (nint)_table.Linked((ulong*)_bucket);
            if (_bucket == 0 && ++_number < _table.Buckets)
            {
                _bucket = (nint)_table.BucketAt(_number);
            }
        }

        pinned = default;
        return false;
    }

    private readonly bool TryPin(ulong* cell, ulong word, out PinnedRecord pinned)
    {
        while (word != IndexWord.Empty)
        {
            var current = _store.Table;
            bool wasMoved;
            if (ReferenceEquals(current, _table))
            {
                if (_store.TryPin(current, cell, word, out pinned, out wasMoved))
                {
                    return true;
                }

                word = Volatile.Read(ref *cell);
            }
            else
            {
                // The entry is in a larger table by now, and may have got another record since.
                var hash = IndexWord.HashOf(word, _number);
                var cursor = current.CursorOf(hash);
                wasMoved = false;
                if (current.TryNext(ref cursor, hash) && _store.TryPin(current, cursor.Cell, cursor.Word, out pinned, out wasMoved))
                {
                    return true;
                }
            }

            if (!wasMoved)
            {
                break;
            }
        }

        pinned = default;
        return false;
    }

    private readonly bool IsPresentable(in PinnedRecord pinned)
    {
        var record = pinned.Record;
        if (!pinned.IsCopy)
        {
            _store.Memory.Use(_store.SlotOf(pinned.Location), record.Start, record.Bytes);
        }

        return !_store.IsExpired(record, out _) && ((pinned.Word & IndexWord.Checked) != 0 || record.IsWhole(pinned.Location));
    }
}
