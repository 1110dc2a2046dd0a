using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>An entry that an enumeration of a cache is at. Valid until the enumeration goes on.</summary>
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

    /// <summary>The key.</summary>
    public TKey Key => CacheKey.Decode<TKey>(_lease.Key);

    /// <summary>The key as bytes.</summary>
    [UnscopedRef]
    public ReadOnlySpan<byte> KeyBytes => _lease.Key;

    /// <summary>The value.</summary>
    [UnscopedRef]
    public ReadOnlySpan<byte> Value => _lease.Value;

    /// <summary>When the entry expires; null for never.</summary>
    public DateTimeOffset? ExpiresAt => _lease.ExpiresAt;

    /// <summary>The value is a message that the view can read.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    public bool IsMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => _schemas.CanRead(_lease.Schema, TView.Schema);

    /// <summary>The view of the message.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <exception cref="InvalidOperationException">It is none that the view can read.</exception>
    [UnscopedRef]
    public TView GetMessage<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => IsMessage<TView>()
            ? BufferedMessage.Create<TView>(_lease.Value)
            : throw new InvalidOperationException($"The entry is no message that a view of {TView.Schema.Name} can read. Ask IsMessage first.");
}
