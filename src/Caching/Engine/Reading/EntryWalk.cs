namespace BufferedMessages.Caching;

/// <summary>A walk over all entries of a cache that other threads may change. It visits all entries that stay in the cache during the walk.</summary>
internal struct EntryWalk
{
    private readonly CacheStore _store;
    private readonly IndexTable _table;
    private IndexWalk _cells;

    public EntryWalk(CacheStore store)
    {
        _store = store;
        _table = store.Index.Table;
        _cells = new IndexWalk(_table);
    }

    /// <summary>Takes a lease of the next entry that is not expired or damaged.</summary>
    public bool MoveNext(out PinnedRecord pinned)
    {
        while (_cells.MoveNext())
        {
            if (TryPin(out pinned))
            {
                var isFound = false;
                try
                {
                    isFound = IsPresentable(in pinned);
                }
                finally
                {
                    if (!isFound)
                    {
                        _store.Leases.Undo(pinned.Ticket);
                    }
                }

                if (isFound)
                {
                    return true;
                }
            }
        }

        pinned = default;
        return false;
    }

    private readonly bool TryPin(out PinnedRecord pinned)
    {
        for (var word = _cells.Word; word != IndexWord.Empty;)
        {
            var current = _store.Index.Table;
            bool wasMoved;
            if (ReferenceEquals(current, _table))
            {
                if (_store.Finder.TryPin(current, _cells.Cell, word, out pinned, out wasMoved))
                {
                    return true;
                }

                word = _cells.Cell.Word;
            }
            else
            {
                // The entry is in a larger table by now. Another one may have the same bits of the hash, so the one that leads to the record comes first.
                var hash = IndexWord.HashOf(word, _cells.Chain);
                var cell = current.FindCell(hash, IndexWord.Location(word), out var found);
                if (!cell.Exists)
                {
                    // It leads to another record by now.
                    var cursor = current.CursorOf(hash);
                    (cell, found) = current.TryNext(ref cursor, hash) ? (cursor.Cell, cursor.Word) : default;
                }

                wasMoved = false;
                if (cell.Exists && _store.Finder.TryPin(current, cell, found, out pinned, out wasMoved))
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
            _store.Segments.Memory.Use(_store.Segments.SlotOf(pinned.Location), _store.Segments.OffsetOf(pinned.Location), record.Bytes);
        }

        return ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out _)
            && !record.IsExpired(_store.Clock, out _)
            && !_store.Tags.WereRemoved(in record)
            && (((pinned.Word & IndexWord.Checked) != 0 && !_store.VerifiesAlways) || record.IsWhole(pinned.Location));
    }
}
