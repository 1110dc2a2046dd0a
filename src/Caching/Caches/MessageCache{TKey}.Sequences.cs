using System.Buffers;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Values that are bytes in several pieces. Overload resolution prefers one piece.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Sets the entry of a key to bytes in several pieces. They are copied once, into the segment.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; it may be empty.</param>
    /// <param name="expiry">The expiry; the default value means <see cref="MessageCacheOptions.DefaultExpiry"/>.</param>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [SkipLocalsInit]
    [OverloadResolutionPriority(-1)]
    public void Set(TKey key, ReadOnlySequence<byte> value, CacheExpiry expiry = default)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        if (value.IsSingleSegment)
        {
            SetBytes(encoded.Bytes, value.FirstSpan, expiry);
        }
        else
        {
            SetSequence(encoded.Bytes, value, expiry);
        }
    }

    /// <summary>Sets the entry of a key to bytes in several pieces, as <see cref="SetAsync(TKey, ReadOnlyMemory{byte}, CacheExpiry, CancellationToken)"/> does.</summary>
    /// <inheritdoc cref="SetAsync(TKey, ReadOnlyMemory{byte}, CacheExpiry, CancellationToken)"/>
    [OverloadResolutionPriority(-1)]
    public async ValueTask SetAsync(TKey key, ReadOnlySequence<byte> value, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (IsAsking)
        {
            await Task.Run(() => SetSequenceByOwnerAsync(CacheKey.ToArray(key), value, expiry, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        else if (IsInMemory(key))
        {
            Set(key, value, expiry);
        }
        else
        {
            await Task.Run(() => Set(key, value, expiry), cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task SetSequenceByOwnerAsync(byte[] key, ReadOnlySequence<byte> value, CacheExpiry expiry, CancellationToken cancellationToken)
    {
        if (value.IsSingleSegment)
        {
            await SetByOwnerAsync(key, value.First, expiry, schema: 0, cancellationToken).ConfigureAwait(false);
            return;
        }

        using var stream = JoinForOwner(key.Length, value);
        await SetByOwnerAsync(key, stream.GetContiguousMemory(), expiry, schema: 0, cancellationToken).ConfigureAwait(false);
    }

    // A value that is too large may be larger than memory.
    private PooledStream JoinForOwner(int keyBytes, ReadOnlySequence<byte> value)
    {
        RequireSharing();
        if (_store.Segments.MaxEntryBytes is var most && value.Length > most)
        {
            throw new CacheEntryTooLargeException(keyBytes + value.Length, most);
        }

        var stream = BufferPool.Shared.GetStream();
        foreach (var piece in value)
        {
            stream.Write(piece.Span);
        }

        return stream;
    }

    private void SetSequence(ReadOnlySpan<byte> key, ReadOnlySequence<byte> value, CacheExpiry expiry)
    {
        if (_engine.Writer is not { } writer)
        {
            using var stream = JoinForOwner(key.Length, value);
            SetBytes(key, stream.GetContiguousMemory().Span, expiry);
            return;
        }

        if (value.Length > writer.MaxEntryBytes)
        {
            throw new CacheEntryTooLargeException(key.Length + value.Length, writer.MaxEntryBytes);
        }

        var reservation = writer.Reserve(key, XxHash64.Hash(key), (int)value.Length, schema: 0, expiry);
        try
        {
            value.CopyTo(reservation.Value);
        }
        catch
        {
            writer.Abandon(in reservation);
            throw;
        }

        writer.Publish(in reservation, key);
    }
}
