namespace BufferedMessages.Caching;

/// <summary>The bytes of a key, in the scratch memory of the caller or in a rented array, which is returned at the end.</summary>
internal readonly ref struct EncodedKey<TKey>
{
    private readonly byte[]? _rented;

    /// <inheritdoc cref="CacheKey.Encode{TKey}"/>
    public EncodedKey(in TKey key, Span<byte> scratch) => Bytes = CacheKey.Encode(in key, scratch, out _rented);

    public ReadOnlySpan<byte> Bytes { get; }

    public void Dispose() => CacheKey.Return(_rented);
}
