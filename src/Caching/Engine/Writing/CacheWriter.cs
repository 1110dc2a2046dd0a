using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>Sets, removes and prolongs entries. One process has a writer, and all of its threads use it.</summary>
internal sealed class CacheWriter : IDisposable
{
    private readonly CacheStore _store;
    private readonly MessageCacheOptions _options;
    private readonly SegmentBook _book;
    private readonly SegmentPool _pool;
    private readonly IndexWriter _index;

    public CacheWriter(CacheStore store, MessageCacheOptions options, SegmentBook book, SegmentPool pool, IndexWriter index)
    {
        _store = store;
        _options = options;
        _book = book;
        _pool = pool;
        _index = index;
        MaxEntryBytes = Math.Min(options.MaxEntryBytes ?? long.MaxValue, store.Segments.MaxEntryBytes);
    }

    /// <summary>Gets the bytes of the records that were written by sets.</summary>
    public long WrittenBytes => _pool.WrittenBytes;

    /// <summary>Gets the number of entries.</summary>
    public long Entries => _index.Entries;

    /// <summary>Gets the number of sets in lanes. The others are counted by <see cref="CacheCounters"/>.</summary>
    public long SetsInLanes => _pool.Lanes.Sets;

    /// <summary>Gets the most bytes of a key, a value and tags together.</summary>
    public long MaxEntryBytes { get; }

    /// <summary>Begins to load the parts of the index that sets of some hashes need, and then the marks of the records that they replace, into the processor's cache.</summary>
    public void Prefetch(ReadOnlySpan<ulong> hashes)
    {
        // The processor waits for all buckets at the same time, not for one after the other.
        foreach (var hash in hashes)
        {
            _index.Prefetch(hash);
        }

        foreach (var hash in hashes)
        {
            _store.Finder.PrefetchMark(hash);
        }
    }

    /// <summary>Reserves room for an entry, and writes everything but its value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="valueBytes">The bytes of the value.</param>
    /// <param name="schema">The fingerprint of the schema; 0 for bytes.</param>
    /// <param name="expiry">The expiry.</param>
    /// <exception cref="CacheEntryTooLargeException">The entry is too large.</exception>
    /// <inheritdoc cref="SegmentPool.Reserve" path="/exception"/>
    public Reservation Reserve(ReadOnlySpan<byte> key, ulong hash, int valueBytes, ulong schema, CacheExpiry expiry)
    {
        _index.Prefetch(hash);
        var own = expiry.Or(_options.DefaultExpiry);
        return Reserve(key, hash, valueBytes, schema, own.Resolve(_store.Clock), own.TagBytes);
    }

    /// <summary>Does the same for an entry whose times are known, and the bytes of whose tags are given.</summary>
    /// <inheritdoc cref="Reserve(ReadOnlySpan{byte}, ulong, int, ulong, CacheExpiry)"/>
    public Reservation Reserve(ReadOnlySpan<byte> key, ulong hash, int valueBytes, ulong schema, in ExpiryTimes times, ReadOnlySpan<byte> tags)
    {
        if ((long)key.Length + valueBytes + tags.Length > MaxEntryBytes)
        {
            throw new CacheEntryTooLargeException((long)key.Length + valueBytes + tags.Length, MaxEntryBytes);
        }

        if (key.Length > CacheRecord.MaxKeyBytes)
        {
            throw new CacheEntryTooLargeException(key.Length, CacheRecord.MaxKeyBytes);
        }

        var table = tags.IsEmpty ? null : _store.Tags.Require();
        var flags = CacheRecord.FlagsOf(schema, in times, hasTags: table is not null);
        var reservation = _pool.Reserve((uint)CacheRecord.BytesOf(key.Length, valueBytes, flags, tags.Length), flags);
        reservation.WriteHead(key, hash, valueBytes, schema, times);
        if (table is not null)
        {
            WriteTags(in reservation, key.Length, table, tags);
        }

        if (times.End != ExpiryTimes.Never)
        {
            _book.NoteExpiry(reservation.Slot, times.End);
        }

        return reservation;
    }

    /// <summary>Removes the tags of a group.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void RemoveTags(int group) => _index.RemoveTags(group);

    /// <summary>Publishes a record, whose value is written, as the entry of its key.</summary>
    /// <exception cref="DiskFullException">The index is full, and there is no room for a larger one. Nothing was changed.</exception>
    /// <exception cref="InvalidOperationException">The entry is on disk, and all leases are taken. Nothing was changed.</exception>
    public void Publish(in Reservation reservation, ReadOnlySpan<byte> key)
    {
        // The location of the mark is in the index, which was loaded while the value was written: an earlier request would have to wait for it.
        _store.Finder.PrefetchMark(reservation.Hash);

        // Reading an entry without a note may wait for a disk, so it is done before the lock is taken. The lease keeps its location from being reused.
        PinnedRecord old = default;
        var hasOld = false;
        var isPublished = false;
        try
        {
            hasOld = !_index.IsNoted(reservation.Hash) && !_store.Finder.IsNear(reservation.Hash) && _store.Finder.TryPin(key, reservation.Hash, out old);
            _index.Publish(in reservation, reservation.Summarize(), hasOld ? KnownEntry.Of(in old) : default);
            isPublished = true;
            _index.GrowIfFull();
        }
        finally
        {
            if (hasOld)
            {
                _store.Leases.Undo(old.Ticket);
            }

            if (isPublished && reservation.Lane == WriteLanes.None)
            {
                _store.Counters.Sets.Increment();
            }

            _pool.Finish(in reservation, isPublished);
        }
    }

    /// <summary>Gives up a reservation: its room becomes padding.</summary>
    public void Abandon(in Reservation reservation) => _pool.Finish(in reservation, isPublished: false);

    /// <summary>Removes the entry of a key.</summary>
    /// <returns>False when the entry did not exist, had expired, or had been removed by its tag.</returns>
    public bool Remove(ReadOnlySpan<byte> key)
    {
        var hash = XxHash64.Hash(key);
        while (_store.Finder.TryPin(key, hash, out var old))
        {
            try
            {
                var hadEnded = old.Record.IsExpired(_store.Clock, out _) || _store.Tags.WereRemoved(old.Record);

                // Otherwise the key was set again, or its record was carried over: the loop finds the new record.
                if (_index.TryRemove(hash, old.Location, old.Record.Bytes))
                {
                    return !hadEnded;
                }
            }
            finally
            {
                _store.Leases.Undo(old.Ticket);
            }
        }

        return false;
    }

    /// <inheritdoc cref="IndexWriter.TryDrop"/>
    public void TryDrop(in PinnedRecord pinned, bool onlyIfExpired) => _index.TryDrop(in pinned, onlyIfExpired);

    /// <summary>Removes all entries.</summary>
    public void Clear() => _index.Clear();

    /// <summary>Changes the expiry of a key's entry; the default value prolongs it as a read does.</summary>
    /// <returns>False when the entry does not exist, has expired, or was removed by its tag.</returns>
    /// <exception cref="ArgumentException">The expiry has a window, a time for stale values or tags, which are fixed when the entry is set.</exception>
    public bool Touch(ReadOnlySpan<byte> key, CacheExpiry expiry) => Touch(key, ResolveTouch(expiry, _store.Clock).First, prolongs: expiry.IsDefault);

    /// <summary>Does the same for a time that is known.</summary>
    /// <param name="key">The key.</param>
    /// <param name="time">The time at which the entry expires.</param>
    /// <param name="prolongs">Whether the entry is prolonged as a read does, whatever the time is.</param>
    /// <returns>False when the entry does not exist, has expired, or was removed by its tag.</returns>
    public bool Touch(ReadOnlySpan<byte> key, long time, bool prolongs)
    {
        var hash = XxHash64.Hash(key);
        while (_store.Finder.TryPin(key, hash, out var pinned))
        {
            try
            {
                var record = pinned.Record;
                var known = Volatile.Read(ref record.Expiry);
                if (record.IsExpired(_store.Clock, out var now) || _store.Tags.WereRemoved(in record))
                {
                    return false;
                }

                var times = record.ReadTimes();
                var next = prolongs ? ExpiryTimes.Slide(now, times.Latest, times.Window) : time;
                if (prolongs && !(times.IsSliding && times.EndsBefore(next)))
                {
                    return true;
                }

                // Another thread may have given it a later time.
                if (!TryChangeExpiry(in pinned, ExpiryWord.Compose(next), prolongs ? known : null))
                {
                    continue;
                }

                if (next != ExpiryTimes.Never)
                {
                    _book.NoteExpiry(_store.Segments.SlotOf(pinned.Location), next);
                }

                _store.Finder.ForgetCopies(in pinned);
                if (IsStillThere(in pinned, hash))
                {
                    return true;
                }
            }
            finally
            {
                _store.Leases.Undo(pinned.Ticket);
            }
        }

        return false;
    }

    /// <summary>Calculates the times of a touch.</summary>
    /// <exception cref="ArgumentException">The expiry has a window, a time for stale values or tags, which are fixed when the entry is set.</exception>
    public static ExpiryTimes ResolveTouch(CacheExpiry expiry, TimeProvider clock)
    {
        var asked = expiry.Resolve(clock);
        return asked.HasLatest || !expiry.TagBytes.IsEmpty
            ? throw new ArgumentException(
                "The window of an entry, the time for which it may be stale, and its tags are fixed when it is set. Touch it with a time, or without an expiry; or set it again.", nameof(expiry))
            : asked;
    }

    /// <summary>Writes a later expiry of a record that was just read, unless another thread has changed it since.</summary>
    /// <param name="pinned">The record.</param>
    /// <param name="expires">The expiry that was read.</param>
    /// <param name="next">The later one.</param>
    public void Prolong(in PinnedRecord pinned, long expires, long next)
    {
        TryChangeExpiry(in pinned, ExpiryWord.Compose(next), ExpiryWord.Compose(expires));
        if (!IsStillThere(in pinned, XxHash64.Hash(pinned.Record.Key)))
        {
            Touch(pinned.Record.Key, next, prolongs: true);
        }
    }

    /// <summary>Ends the waits for a segment, before the cache is closed.</summary>
    public void EndWaits() => _pool.Refuse();

    public void Dispose() => _pool.Close();

    // False if the expiry is not the known one any more. Without a known one it is changed whatever it is.
    private bool TryChangeExpiry(in PinnedRecord pinned, ulong next, ulong? known)
    {
        using var held = _store.Finder.Hold(in pinned);
        ref var expiry = ref held.Record.Expiry;
        if (known is not { } expected)
        {
            Interlocked.Exchange(ref expiry, next);
        }
        else if (Interlocked.CompareExchange(ref expiry, next, expected) != expected)
        {
            return false;
        }

        _store.ExpiryChanges.Count(_store.Segments.SlotOf(pinned.Location));
        return true;
    }

    private void WriteTags(in Reservation reservation, int keyBytes, TagTable table, ReadOnlySpan<byte> tags)
    {
        var born = TagBlock.Born(tags);
        table.Correct(TagBlock.Groups(tags));
        _store.Segments.Header(reservation.Slot).RequireTags();
        reservation.WriteTags(keyBytes, tags, born switch { 0 => table.Now, TagBlock.BornBeforeClock => table.First, _ => born });
    }

    // The expiry of a record that is carried over is copied: either the move of the entry is seen here, or the new expiry is seen there.
    private bool IsStillThere(in PinnedRecord pinned, ulong hash) =>
        _store.Index.IsCurrent(pinned.Table) ? pinned.IsCurrent : _index.TryFind(hash, pinned.Location, out _, out _);
}
