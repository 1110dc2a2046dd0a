using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>
/// A message in a cache, read in place until the lease is disposed. The rules of <see cref="CacheLease"/> apply.
/// </summary>
/// <typeparam name="TView">The generated view type.</typeparam>
public readonly ref struct CacheLease<TView>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly CacheLease _lease;

    internal CacheLease(CacheLease lease) => _lease = lease;

    /// <summary>Gets the view of the message. Valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    [UnscopedRef]
    public TView Message => BufferedMessage.Create<TView>(_lease.Value);

    /// <summary>Gets the bytes of the message. Valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease is disposed.</exception>
    [UnscopedRef]
    public ReadOnlySpan<byte> Value => _lease.Value;

    /// <inheritdoc cref="CacheLease.ExpiresAt"/>
    public DateTimeOffset? ExpiresAt => _lease.ExpiresAt;

    /// <summary>Releases the entry.</summary>
    public void Dispose() => _lease.Dispose();
}
