using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.OutputCaching;

namespace BufferedMessages.Caching;

/// <summary>
/// The store of the output-caching middleware over a cache of texts. The middleware catches and logs its exceptions: it serves such a response without keeping it.
/// </summary>
/// <param name="cache">The cache; it must stay open.</param>
internal sealed class MessageOutputCacheStore(MessageCache<string> cache) : IOutputCacheBufferStore
{
    public ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) => cache.CopyAsync(key, cancellationToken);

    public async ValueTask<bool> TryGetAsync(string key, PipeWriter destination, CancellationToken cancellationToken)
    {
        var isFound = await cache.TryCopyAsync(key, destination, cancellationToken).ConfigureAwait(false);
        if (isFound)
        {
            await destination.FlushAsync(cancellationToken).ConfigureAwait(false);
        }

        return isFound;
    }

    public ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(value);
        return cache.SetAsync(key, value.AsMemory(), ExpiryOf(tags, validFor), cancellationToken);
    }

    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, ReadOnlyMemory<string> tags, TimeSpan validFor, CancellationToken cancellationToken) =>
        cache.SetAsync(key, value, ExpiryOf(tags.Span, validFor), cancellationToken);

    public ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return cache.RemoveByTagAsync(tag, cancellationToken);
    }

    // As in the framework's own store, a tag may be empty.
    private static CacheExpiry ExpiryOf(ReadOnlySpan<string> tags, TimeSpan validFor) => CacheExpiry.After(validFor).WithAnyTags(tags);
}
