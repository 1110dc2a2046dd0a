using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Changes of an entry's expiry, in place.</content>
internal sealed partial class CacheWriter
{
    /// <summary>Gives the entry of a key another expiry; without one, what a read does.</summary>
    /// <returns>False when there is no such entry, or an expired one.</returns>
    /// <exception cref="ArgumentException">The expiry has a window, which is fixed when the entry is set.</exception>
    public unsafe bool Touch(ReadOnlySpan<byte> key, CacheExpiry expiry)
    {
        var asked = expiry.Resolve(_store.Clock);
        if (asked.IsSliding)
        {
            throw new ArgumentException("The window of an entry is fixed when it is set. Touch it with a time, or without an expiry; or set it again.", nameof(expiry));
        }

        var hash = XxHash64.Hash(key);
        while (_store.TryPin(key, hash, out var pinned))
        {
            try
            {
                var record = _store.Original(in pinned);
                if (_store.IsExpired(record, out var now))
                {
                    return false;
                }

                var times = record.ReadTimes();
                if (expiry.IsDefault && !times.IsSliding)
                {
                    return true;
                }

                var next = expiry.IsDefault ? ExpiryTimes.Slide(now == 0 ? ExpiryTimes.Now(_store.Clock) : now, times.Latest, times.Window) : asked.First;
                Volatile.Write(ref record.Expiry, ExpiryWord.Compose(next));
                Interlocked.MemoryBarrier();
                _store.ForgetCopies(in pinned);
                if (IsStillThere(in pinned))
                {
                    return true;
                }
            }
            finally
            {
                _store.Undo(pinned.Ticket);
            }
        }

        return false;
    }

    /// <summary>Notes a later expiry of a record that was just read.</summary>
    public void Prolong(in PinnedRecord pinned, long expires) => Volatile.Write(ref _store.Original(in pinned).Expiry, ExpiryWord.Compose(expires));

    // While the record is carried over its expiry is copied: either this is seen here, or the change is seen there.
    private unsafe bool IsStillThere(in PinnedRecord pinned)
    {
        var table = _store.Table;
        if (ReferenceEquals(table, pinned.Table))
        {
            return pinned.IsCurrent;
        }

        var hash = XxHash64.Hash(pinned.Record.Key);
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            if (IndexWord.Location(cursor.Word) == pinned.Location)
            {
                return true;
            }
        }

        return false;
    }
}
