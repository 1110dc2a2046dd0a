using System.Buffers;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Values that are bytes.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Sets the entry of a key to bytes.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; it may be empty.</param>
    /// <param name="expiry">The expiry; the default value means <see cref="MessageCacheOptions.DefaultExpiry"/>.</param>
    /// <exception cref="CacheEntryTooLargeException">Key, value and tags together are too large.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The entry would be expired already.</exception>
    /// <exception cref="DiskFullException">The disk is full, and every segment is in use. Nothing was changed.</exception>
    /// <exception cref="TimeoutException">
    /// Leases hold all segments, and nothing was changed; or the owner of a shared cache did not answer in time, and it is not known whether it has made the change, or still will.
    /// </exception>
    /// <exception cref="IOException">The disk failed, and nothing was changed; or the owner of a shared cache could not make the change.</exception>
    /// <exception cref="NotSupportedException">The owner of a shared cache is of another release, and does not accept the changes of this one. Update the package in all processes.</exception>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer was deleted or replaced while the cache was open.</exception>
    /// <exception cref="InvalidOperationException">The cache is open for reading only; or 4096 leases are open, and the earlier entry of the key must be read.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public void Set(TKey key, ReadOnlySpan<byte> value, CacheExpiry expiry = default)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        SetBytes(encoded.Bytes, value, expiry);
    }

    /// <summary>Sets several entries in order. This is faster than single calls, because the processor begins to load the memory of 32 entries at a time, before the first of them is set.</summary>
    /// <param name="entries">The keys and their values. If a key occurs more than once, its last value wins.</param>
    /// <param name="expiry">The expiry of all entries; the default value means <see cref="MessageCacheOptions.DefaultExpiry"/>.</param>
    /// <remarks>If the call throws, the entries before the one that failed are set.</remarks>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [SkipLocalsInit]
    public void SetMany(ReadOnlySpan<KeyValuePair<TKey, ReadOnlyMemory<byte>>> entries, CacheExpiry expiry = default)
    {
        var writer = _engine.Writer;
        if (writer is null)
        {
            RequireSharing();
        }

        Span<ulong> hashes = stackalloc ulong[KeyGroups<TKey>.Length];
        Span<byte> scratch = stackalloc byte[CacheKey.ScratchBytes];
        while (!entries.IsEmpty)
        {
            var group = entries[..HashMany(entries, hashes, scratch)];
            writer?.Prefetch(hashes[..group.Length]);
            for (var i = 0; i < group.Length; i++)
            {
                var key = group[i].Key;
                using var encoded = new EncodedKey<TKey>(in key, scratch);
                SetBytes(encoded.Bytes, hashes[i], group[i].Value.Span, expiry);
            }

            entries = entries[group.Length..];
        }
    }

    /// <summary>Sets the entry of a key to bytes. A call that would wait for a disk runs on another thread. A wait for the owner of a shared cache blocks no thread.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value. It must not be changed until the task completes.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <param name="cancellationToken">Cancels the call before it begins, and ends the wait for the owner. It is then not known whether the owner has made the change, or still will.</param>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    public async ValueTask SetAsync(TKey key, ReadOnlyMemory<byte> value, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (IsAsking)
        {
            await Task.Run(() => SetByOwnerAsync(CacheKey.ToArray(key), value, expiry, schema: 0, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        else if (IsInMemory(key))
        {
            Set(key, value.Span, expiry);
        }
        else
        {
            await Task.Run(() => Set(key, value.Span, expiry), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Finds the entry of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="lease">The bytes of the entry in place, even if it is a message. Dispose it.</param>
    /// <returns>False if there is no entry, or it is expired or damaged.</returns>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    /// <exception cref="InvalidOperationException">4096 leases are open.</exception>
    /// <exception cref="CacheCorruptedException">The cache is open for reading only, and its index file is missing or damaged.</exception>
    /// <exception cref="IOException">The entry has tags, and the file of tags cannot be opened: the disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The entry has tags, and this process may not read the file of tags.</exception>
    public bool TryGet(TKey key, out CacheLease lease) =>
        CacheKey.IsText<TKey>() ? TryGetText(key, out lease) : TryGetBytes(CacheKey.AsBytes(in key), out lease);

    /// <summary>Reads several entries. For 32 keys at a time, the entries that are not in memory are read ahead before the call waits for the first one.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="state">The state that is passed to <paramref name="onHit"/>.</param>
    /// <param name="onHit">Called for each entry that is found, in the order of the keys, with the key, the value in place and the state.</param>
    /// <returns>The number of entries that were found.</returns>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public int GetMany<TState>(ReadOnlySpan<TKey> keys, TState state, Action<TKey, ReadOnlySpan<byte>, TState> onHit)
    {
        ArgumentNullException.ThrowIfNull(onHit);
        var hits = 0;
        for (var groups = new KeyGroups<TKey>(keys, stackalloc ulong[KeyGroups<TKey>.Length]); groups.MoveNext();)
        {
            _engine.Prefetch.Prefetch(groups.Hashes, isReadNext: true);
            for (var i = 0; i < groups.Keys.Length; i++)
            {
                if (!TryGetBytes(in groups.Keys[i], groups.Hashes[i], out var lease))
                {
                    continue;
                }

                using (lease)
                {
                    onHit(groups.Keys[i], lease.Value, state);
                }

                hits++;
            }
        }

        return hits;
    }

    /// <summary>
    /// Begins to load entries without waiting: from the disk into memory, or from memory into the processor's cache. A later <see cref="TryGet(TKey, out CacheLease)"/>
    /// waits less.
    /// </summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    [SkipLocalsInit]
    public void Prefetch(ReadOnlySpan<TKey> keys)
    {
        for (var groups = new KeyGroups<TKey>(keys, stackalloc ulong[KeyGroups<TKey>.Length]); groups.MoveNext();)
        {
            _engine.Prefetch.Prefetch(groups.Hashes, isReadNext: false);
        }
    }

    /// <summary>Copies the bytes of an entry; null if it does not exist. The framework's interfaces of caches take copies.</summary>
    internal byte[]? Copy(TKey key)
    {
        if (!TryGet(key, out var lease))
        {
            return null;
        }

        using (lease)
        {
            return lease.Value.ToArray();
        }
    }

    /// <summary>Does the same. A call that would wait for a disk runs on another thread.</summary>
    internal async ValueTask<byte[]?> CopyAsync(TKey key, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return IsInMemory(key) ? Copy(key) : await Task.Run(() => Copy(key), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Copies the bytes of an entry to a buffer.</summary>
    /// <returns>False if the entry does not exist.</returns>
    internal bool TryCopy(TKey key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (!TryGet(key, out var lease))
        {
            return false;
        }

        using (lease)
        {
            destination.Write(lease.Value);
            return true;
        }
    }

    /// <summary>Does the same. A call that would wait for a disk runs on another thread.</summary>
    /// <inheritdoc cref="TryCopy" path="/returns"/>
    internal async ValueTask<bool> TryCopyAsync(TKey key, IBufferWriter<byte> destination, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        cancellationToken.ThrowIfCancellationRequested();
        return IsInMemory(key) ? TryCopy(key, destination) : await Task.Run(() => TryCopy(key, destination), cancellationToken).ConfigureAwait(false);
    }

    // A key that cannot be encoded ends a group, so that the entries before it are set before the call throws.
    private static int HashMany(ReadOnlySpan<KeyValuePair<TKey, ReadOnlyMemory<byte>>> entries, Span<ulong> hashes, Span<byte> scratch)
    {
        var count = 0;
        for (; count < Math.Min(entries.Length, hashes.Length); count++)
        {
            var key = entries[count].Key;
            try
            {
                using var encoded = new EncodedKey<TKey>(in key, scratch);
                hashes[count] = XxHash64.Hash(encoded.Bytes);
            }
            catch (ArgumentException) when (count != 0)
            {
                break;
            }
        }

        return count;
    }

    internal void SetBytes(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, CacheExpiry expiry, ulong schema = 0) => SetBytes(key, XxHash64.Hash(key), value, expiry, schema);

    private void SetBytes(ReadOnlySpan<byte> key, ulong hash, ReadOnlySpan<byte> value, CacheExpiry expiry, ulong schema = 0)
    {
        if (_engine.Writer is not { } writer)
        {
            if (RequireSharing().TrySet(key, value, schema, expiry))
            {
                return;
            }

            writer = _engine.RequireWriter();
        }

        var reservation = writer.Reserve(key, hash, value.Length, schema, expiry);
        value.CopyTo(reservation.Value);
        writer.Publish(in reservation, key);
    }

    [SkipLocalsInit]
    private bool TryGetText(TKey key, out CacheLease lease)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isHit = TryGetBytes(bytes, out lease);
        CacheKey.Return(rented);
        return isHit;
    }

    [SkipLocalsInit]
    private bool TryGetBytes(in TKey key, ulong hash, out CacheLease lease)
    {
        Unsafe.SkipInit(out lease);
        if (!CacheKey.IsText<TKey>())
        {
            return _reader.TryGet(CacheKey.AsBytes(in key), hash, out lease.Entry);
        }

        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        return _reader.TryGet(encoded.Bytes, hash, out lease.Entry);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryGetBytes(scoped ReadOnlySpan<byte> key, out CacheLease lease)
    {
        Unsafe.SkipInit(out lease);
        return _reader.TryGet(key, out lease.Entry);
    }
}
