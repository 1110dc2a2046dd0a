using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <content>Values of any type, by a serializer, and values that are created on a miss.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Sets the entry of a key to a value that a serializer writes.</summary>
    /// <exception cref="ArgumentException">The serializer's name is empty.</exception>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [SkipLocalsInit]
    public void Set<T>(TKey key, T value, ICacheSerializer<T> serializer, CacheExpiry expiry = default)
    {
        var format = SerializerName.FingerprintOf(serializer);
        using var stream = BufferPool.Shared.GetStream();
        serializer.Serialize(value, stream);
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        SetBytes(encoded.Bytes, stream.GetContiguousMemory().Span, expiry, format);
    }

    /// <summary>Finds the entry of a key and deserializes its value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="serializer">Reads the bytes.</param>
    /// <param name="value">The value; the default if there is none.</param>
    /// <returns>False if there is no entry, if it is expired or damaged, or if a serializer of this name did not set it.</returns>
    /// <exception cref="ArgumentException">The serializer's name is empty.</exception>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public bool TryGet<T>(TKey key, ICacheSerializer<T> serializer, out T? value)
    {
        var format = SerializerName.FingerprintOf(serializer);
        value = default;
        if (!TryGet(key, out var lease))
        {
            return false;
        }

        using (lease)
        {
            if (lease.Schema != format)
            {
                _reader.Refuse();
                return false;
            }

            value = serializer.Deserialize(lease.Value);
            return true;
        }
    }

    /// <summary>Finds the entry of a key and deserializes its value. A call that would wait for a disk runs on another thread.</summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public ValueTask<CacheResult<T>> GetAsync<T>(TKey key, ICacheSerializer<T> serializer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return ReadAsync<SerializedValue<T>, T>(key, new SerializedValue<T>(serializer), cancellationToken);
    }

    /// <summary>
    /// Finds the value of a key, or creates and sets it. When many threads of this process miss the same key, one creates the value and the others wait for it. An exception of the callback is
    /// thrown in all of them, and is not kept. A null is returned and not kept. So is a value that cannot be kept now: for lack of room, because a file fails, or because the owner of a shared
    /// cache does not accept it.
    /// </summary>
    /// <remarks>
    /// <see cref="CacheExpiry.StaleWhileRevalidate"/> and <see cref="CacheExpiry.RefreshAhead"/> let the callback run in the background after this call has returned. It must not use anything that
    /// ends with the call. <see cref="Dispose"/> cancels its token and waits for it.
    /// </remarks>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the value. It must not ask the cache for the same key, or for one whose creation asks for this one.</param>
    /// <param name="serializer">Writes and reads the bytes.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <exception cref="CacheEntryTooLargeException">Key, value and tags together are too large.</exception>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer was deleted or replaced while the cache was open.</exception>
    /// <exception cref="InvalidOperationException">The cache is open for reading only; or 4096 leases are open; or the callback asks the cache for the same key.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public T GetOrCreate<T>(TKey key, Func<TKey, T> create, ICacheSerializer<T> serializer, CacheExpiry expiry = default)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return GetOrCreate(key, create, new SerializedValue<T>(serializer), expiry);
    }

    /// <summary>Finds the message of a key as an object, or creates and sets it.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <typeparam name="TSource">The type of the object.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the object. It must not ask the cache for the same key, or for one whose creation asks for this one.</param>
    /// <param name="read">Reads the object from the message: <c>view => view.ToOrder()</c>.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <inheritdoc cref="GetOrCreate{T}(TKey, Func{TKey, T}, ICacheSerializer{T}, CacheExpiry)"/>
    public TSource GetOrCreate<TView, TSource>(TKey key, Func<TKey, TSource> create, Func<TView, TSource> read, CacheExpiry expiry = default)
        where TView : IBufferedMessage<TView>, allows ref struct
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(read);
        return GetOrCreate(key, create, new SourceValue<TView, TSource>(read), expiry);
    }

    /// <summary>
    /// Finds the value of a key, or creates and sets it, without blocking a thread. A cancelled caller does not affect the others. When all are cancelled, so is the creation, unless a thread waits
    /// for it in <c>GetOrCreate</c>.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the value. It must not ask the cache for the same key, or for one whose creation asks for this one.</param>
    /// <param name="serializer">Writes and reads the bytes.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="GetOrCreate{T}(TKey, Func{TKey, T}, ICacheSerializer{T}, CacheExpiry)" path="/exception"/>
    public ValueTask<T> GetOrCreateAsync<T>(
        TKey key, Func<TKey, CancellationToken, ValueTask<T>> create, ICacheSerializer<T> serializer, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return GetOrCreateAsync(key, create, new SerializedValue<T>(serializer), expiry, cancellationToken);
    }

    /// <summary>Finds the message of a key as an object, or creates and sets it, without blocking a thread.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <typeparam name="TSource">The type of the object.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the object. It must not ask the cache for the same key, or for one whose creation asks for this one.</param>
    /// <param name="read">Reads the object from the message: <c>view => view.ToOrder()</c>.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="GetOrCreate{T}(TKey, Func{TKey, T}, ICacheSerializer{T}, CacheExpiry)" path="/exception"/>
    public ValueTask<TSource> GetOrCreateAsync<TView, TSource>(
        TKey key, Func<TKey, CancellationToken, ValueTask<TSource>> create, Func<TView, TSource> read, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
        where TView : IBufferedMessage<TView>, allows ref struct
        where TSource : IBufferedMessageSource<TSource>
    {
        ArgumentNullException.ThrowIfNull(read);
        return GetOrCreateAsync(key, create, new SourceValue<TView, TSource>(read), expiry, cancellationToken);
    }

    private async ValueTask<CacheResult<T>> ReadAsync<TValue, T>(TKey key, TValue stored, CancellationToken cancellationToken)
        where TValue : struct, IStoredValue<T>
    {
        cancellationToken.ThrowIfCancellationRequested();
        return IsInMemory(key)
            ? new CacheResult<T>(stored.TryGet(this, key, out var value), value)
            : await Task.Run(() => new CacheResult<T>(stored.TryGet(this, key, out var other), other), cancellationToken).ConfigureAwait(false);
    }
}
