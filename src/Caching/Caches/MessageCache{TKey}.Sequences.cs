using System.Buffers;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <content>Bytes in several pieces. In doubt a value is one piece.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Sets the entry of a key to bytes that lie in several pieces. They are copied once, into the segment.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; it may be empty.</param>
    /// <param name="expiry">When the entry expires; by default as <see cref="MessageCacheOptions.DefaultExpiry"/> says.</param>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [SkipLocalsInit]
    [OverloadResolutionPriority(-1)]
    public void Set(TKey key, ReadOnlySequence<byte> value, CacheExpiry expiry = default)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        try
        {
            if (value.IsSingleSegment)
            {
                SetBytes(bytes, value.FirstSpan, expiry);
            }
            else
            {
                SetSequence(bytes, value, expiry);
            }
        }
        finally
        {
            CacheKey.Return(rented);
        }
    }

    /// <summary>Sets the entry of a key to bytes that lie in several pieces; moves to another thread what would wait for a disk.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; not to be changed until the task is complete.</param>
    /// <param name="expiry">When the entry expires.</param>
    /// <param name="cancellationToken">Leaves before anything is done.</param>
    /// <inheritdoc cref="Set(TKey, ReadOnlySpan{byte}, CacheExpiry)" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public ValueTask SetAsync(TKey key, ReadOnlySequence<byte> value, CacheExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!IsInMemory(key))
        {
            return new ValueTask(Task.Run(() => Set(key, value, expiry), cancellationToken));
        }

        Set(key, value, expiry);
        return default;
    }

    private unsafe void SetSequence(ReadOnlySpan<byte> key, ReadOnlySequence<byte> value, CacheExpiry expiry)
    {
        var writer = _engine.RequireWriter();
        if (value.Length > writer.MaxEntryBytes)
        {
            throw new CacheEntryTooLargeException(key.Length + value.Length, writer.MaxEntryBytes);
        }

        var reservation = writer.Reserve(key, (int)value.Length, schema: 0, expiry);
        try
        {
            value.CopyTo(new Span<byte>(reservation.Value, (int)value.Length));
        }
        catch
        {
            writer.Abandon(in reservation);
            throw;
        }

        writer.Publish(in reservation, key);
    }
}
