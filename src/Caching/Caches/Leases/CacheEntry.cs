using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>The current entry of an enumeration of a cache. Valid until the enumeration moves on.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public readonly ref struct CacheEntry<TKey>
    where TKey : notnull
{
    private readonly CacheLease _lease;
    private readonly SchemaCatalog _schemas;

    internal CacheEntry(CacheLease lease, SchemaCatalog schemas)
    {
        _lease = lease;
        _schemas = schemas;
    }

    /// <summary>Gets the key.</summary>
    public TKey Key => CacheKey.Decode<TKey>(_lease.Key);

    /// <summary>Gets the bytes of the value.</summary>
    [UnscopedRef]
    public ReadOnlySpan<byte> Value => _lease.Value;

    /// <summary>Gets the time at which the entry expires; null if it never does.</summary>
    public DateTimeOffset? ExpiresAt => _lease.ExpiresAt;

    /// <summary>Determines whether the value is a message that the view can read.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    public bool IsMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => _schemas.CanRead(_lease.Schema, TView.Schema);

    /// <summary>Gets the view of the message.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <exception cref="InvalidOperationException">The value is not a message that the view can read.</exception>
    [UnscopedRef]
    public TView GetMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => IsMessage<TView>()
            ? BufferedMessage.Create<TView>(_lease.Value)
            : throw new InvalidOperationException($"The entry is not a message that a view of {TView.Schema.Name} can read. Call IsMessage first.");
}
