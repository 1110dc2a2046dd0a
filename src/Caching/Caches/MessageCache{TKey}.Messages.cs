using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Values that are messages.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Sets the entry of a key to a message.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="source">The source. Other threads must not change it during the call.</param>
    /// <param name="expiry">The expiry; the default value means <see cref="MessageCacheOptions.DefaultExpiry"/>.</param>
    /// <exception cref="ArgumentException">The source holds a value that a message cannot represent, such as an unpaired surrogate. The cache is unchanged.</exception>
    /// <exception cref="MessageTooLargeException">The message would be larger than 2,147,483,647 bytes.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="UndeclaredCaseException">The type of an object in a union is not one of its declared cases.</exception>
    /// <exception cref="DuplicateKeyException">Two keys of a dictionary, or two elements of a set, have the same bytes.</exception>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [SkipLocalsInit]
    public void Set<TSource>(TKey key, TSource source, CacheExpiry expiry = default)
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(source);
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        SetMessage(encoded.Bytes, source, expiry);
    }

    /// <summary>Finds the message of a key.</summary>
    /// <typeparam name="TView">The generated view type. It reads messages of its own schema, and of schemas that evolved from the same one.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="lease">The message in place. Dispose it.</param>
    /// <returns>False if there is no message, if it is expired or damaged, or if the view cannot read it.</returns>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    /// <exception cref="InvalidOperationException">4096 leases are open.</exception>
    /// <exception cref="CacheCorruptedException">The cache is open for reading only, and its index file is missing or damaged.</exception>
    [SkipLocalsInit]
    public bool TryGet<TView>(TKey key, out CacheLease<TView> lease)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isHit = TryGetMessage(bytes, out lease);
        CacheKey.Return(rented);
        return isHit;
    }

    /// <summary>Finds the message of a key and reads a result from it, for example its object.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="read">Reads the result from the message in place, for example <c>view => view.ToOrder()</c>.</param>
    /// <param name="result">The result; the default if there is no message.</param>
    /// <inheritdoc cref="TryGet{TView}(TKey, out CacheLease{TView})" path="/returns"/>
    /// <inheritdoc cref="TryGet{TView}(TKey, out CacheLease{TView})" path="/exception"/>
    public bool TryGet<TView, TResult>(TKey key, Func<TView, TResult> read, out TResult? result)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(read);
        result = default;
        if (!TryGet<TView>(key, out var lease))
        {
            return false;
        }

        using (lease)
        {
            result = read(lease.Message);
            return true;
        }
    }

    /// <summary>Finds the message of a key and reads a result from it. A call that would wait for a disk runs on another thread.</summary>
    /// <param name="key">The key.</param>
    /// <param name="read">Reads the result from the message in place, for example <c>view => view.ToOrder()</c>.</param>
    /// <param name="cancellationToken">Cancels the call before it begins.</param>
    /// <inheritdoc cref="TryGet{TView}(TKey, out CacheLease{TView})" path="/exception"/>
    public ValueTask<CacheResult<TResult>> GetAsync<TView, TResult>(TKey key, Func<TView, TResult> read, CancellationToken cancellationToken = default)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(read);
        return ReadAsync<MessageValue<TView, TResult>, TResult>(key, new MessageValue<TView, TResult>(read), cancellationToken);
    }

    /// <summary>Reads several messages. For 32 keys at a time, the entries that are not in memory are read ahead before the call waits for the first one.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <typeparam name="TState">The type of the state.</typeparam>
    /// <param name="keys">The keys.</param>
    /// <param name="state">The state that is passed to <paramref name="onHit"/>.</param>
    /// <param name="onHit">Called for each message that is found, in the order of the keys, with the key, the message in place and the state.</param>
    /// <returns>The number of messages that were found.</returns>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public int GetMany<TView, TState>(ReadOnlySpan<TKey> keys, TState state, Action<TKey, TView, TState> onHit)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(onHit);
        var hits = 0;
        for (var groups = new KeyGroups<TKey>(keys, stackalloc ulong[KeyGroups<TKey>.Length]); groups.MoveNext();)
        {
            _engine.Prefetch.Prefetch(groups.Hashes, isReadNext: true);
            for (var i = 0; i < groups.Keys.Length; i++)
            {
                if (!TryGetMessage<TView>(in groups.Keys[i], groups.Hashes[i], out var lease))
                {
                    continue;
                }

                using (lease)
                {
                    onHit(groups.Keys[i], lease.Message, state);
                }

                hits++;
            }
        }

        return hits;
    }

    internal void SetMessage<TSource>(ReadOnlySpan<byte> key, TSource source, CacheExpiry expiry)
        where TSource : IBufferedMessageSource<TSource>
    {
        var writer = _engine.Writer;
        if (writer is null)
        {
            RequireSharing();
        }

        _engine.StoreSchema(TSource.Schema);
        using var message = ScratchMessage.Of(source);
        if (writer is null)
        {
            if (RequireSharing().TrySet(key, message.Bytes, TSource.Schema.Fingerprint, expiry))
            {
                return;
            }

            writer = _engine.RequireWriter();
        }

        var reservation = writer.Reserve(key, XxHash64.Hash(key), message.Bytes.Length, TSource.Schema.Fingerprint, expiry);
        message.Bytes.CopyTo(reservation.Value);
        writer.Publish(in reservation, key);
    }

    internal bool CanRead<TView>(CacheLease entry)
        where TView : IBufferedMessage<TView>, allows ref struct
        => _engine.Schemas.CanRead(entry.Entry.Record.Schema, TView.Schema);

    internal bool TryGetMessage<TView>(scoped ReadOnlySpan<byte> key, out CacheLease<TView> lease)
        where TView : IBufferedMessage<TView>, allows ref struct
        => TryTake(TryGetBytes(key, out var entry), entry, out lease);

    [SkipLocalsInit]
    private bool TryGetMessage<TView>(in TKey key, ulong hash, out CacheLease<TView> lease)
        where TView : IBufferedMessage<TView>, allows ref struct
        => TryTake(TryGetBytes(in key, hash, out var entry), entry, out lease);

    // An entry of another schema counts as a miss.
    private bool TryTake<TView>(bool isHit, CacheLease entry, out CacheLease<TView> lease)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        if (isHit)
        {
            if (CanRead<TView>(entry))
            {
                lease = new CacheLease<TView>(entry);
                return true;
            }

            entry.Dispose();
            _reader.Refuse();
        }

        lease = default;
        return false;
    }
}
