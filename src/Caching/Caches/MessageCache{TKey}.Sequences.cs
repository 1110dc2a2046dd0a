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

    /// <summary>Sets the entry of a key to bytes in several pieces; in another thread when that would wait for a disk, or for the process that owns a shared cache.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; not to be changed until the task is complete.</param>
    /// <param name="expiry">The expiry of the entry.</param>
    /// <param name="cancellationToken">Cancels the call before it begins.</param>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask SetAsync(TKey key, ReadOnlySequence<byte> value, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (MayWaitForChange(key))
        {
            return new ValueTask(Task.Run(() => Set(key, value, expiry), cancellationToken));
        }

        Set(key, value, expiry);
        return default;
    }

    private void SetSequence(ReadOnlySpan<byte> key, ReadOnlySequence<byte> value, CacheExpiry expiry)
    {
        if (_engine.Writer is not { } writer)
        {
            RequireSharing();
            using var stream = BufferPool.Shared.GetStream();
            foreach (var piece in value)
            {
                stream.Write(piece.Span);
            }

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
