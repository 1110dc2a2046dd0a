using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>
/// Dictionaries and sets. Each key is read once: as the keys are in the order of their buckets, every start is known when the first
/// key after it is, and keys that are in order are all different.
/// </content>
public ref partial struct MessageVerifier
{
    /// <summary>Verifies a dictionary.</summary>
    internal bool Dictionary<TKeys, TValues>(BlockReader container, int offset)
        where TKeys : IVerifiedKeys
        where TValues : IVerifiedElements, allows ref struct
    {
        if (!List(container, offset, out var position, out var count))
        {
            return false;
        }

        return count == 0
            || (Table(position, count, TKeys.ElementBytes, out var header)
                && (Keys<TKeys>((int)position, (int)count) || In("Keys"))
                && DictionaryHeader((int)position, header)
                && (TValues.Verify(ref this, position + header, count) || In("Values")));
    }

    /// <summary>Verifies a set.</summary>
    internal bool Set<TKeys>(BlockReader container, int offset)
        where TKeys : IVerifiedKeys
    {
        if (!List(container, offset, out var position, out var count))
        {
            return false;
        }

        return count == 0
            || (Table(position, count, TKeys.ElementBytes, out var header)
                && (header == 0 || Fail((int)position, WireRule.SetHeader))
                && Keys<TKeys>((int)position, (int)count));
    }

    /// <summary>Verifies a key of fixed size.</summary>
    internal bool ValueKey<T>(BlockReader keys, int offset, out ReadOnlySpan<byte> key)
        where T : unmanaged
    {
        var position = PositionOf(keys) + offset;
        key = Bytes(position, Unsafe.SizeOf<T>());
        return Value<T>(position);
    }

    /// <summary>Verifies a key that is a string.</summary>
    internal bool TextKey(BlockReader keys, int offset, out ReadOnlySpan<byte> key)
    {
        key = default;
        var slot = keys.ReadSlot(offset);
        return slot == 0 ? Fail(PositionOf(keys) + offset, WireRule.NullKey) : Text(keys, offset, slot, out key);
    }

    /// <summary>Steps past the header, the starts of the buckets and the array of keys.</summary>
    internal bool Table(ulong position, uint count, int keyBytes, out ulong header)
    {
        header = 0;
        if (!Claim(position, (ulong)DictionaryLayout.KeysOffset(count) + ((ulong)count * (uint)keyBytes), WireFormat.WordBytes))
        {
            return false;
        }

        header = Unsafe.ReadUnaligned<ulong>(ref At((int)position));
        return true;
    }

    /// <summary>The header leads to the values as a slot does. They begin at a multiple of 8, whatever their kind is.</summary>
    internal bool DictionaryHeader(int position, ulong header)
    {
        _slot = position;
        return header >> 32 == 0
            ? Claim((uint)position + header, 0, WireFormat.WordBytes)
            : Fail(position, WireRule.DictionaryHeader);
    }

    /// <summary>Verifies the keys of a dictionary or set.</summary>
    internal bool Keys<TKeys>(int table, int count)
        where TKeys : IVerifiedKeys
    {
        var keysOffset = (int)DictionaryLayout.KeysOffset((uint)count);
        var keys = BlockAt(table + keysOffset, count * TKeys.ElementBytes);
        var buckets = (int)DictionaryLayout.BucketCount((uint)count);
        if (buckets == 0)
        {
            return OrderedKeys<TKeys>(keys, count);
        }

        var starts = table + WireFormat.DictionaryHeaderBytes;
        var startsEnd = starts + ((buckets + 1) * sizeof(uint));
        return BucketedKeys<TKeys>(keys, count, starts, buckets)
            && Zeros(startsEnd, table + keysOffset - startsEnd, WireRule.BucketsEnd);
    }

    private bool OrderedKeys<TKeys>(BlockReader keys, int count)
        where TKeys : IVerifiedKeys
    {
        ReadOnlySpan<byte> previous = default;
        for (var i = 0; i < count; i++)
        {
            var offset = i * TKeys.ElementBytes;
            if (!TKeys.Verify(ref this, keys, offset, out var key) || (i != 0 && !Ascending(previous, key, PositionOf(keys) + offset)))
            {
                return In(i);
            }

            previous = key;
        }

        return true;
    }

    private bool BucketedKeys<TKeys>(BlockReader keys, int count, int starts, int buckets)
        where TKeys : IVerifiedKeys
    {
        ReadOnlySpan<byte> previous = default;
        var bucket = -1;
        for (var i = 0; i < count; i++)
        {
            var offset = i * TKeys.ElementBytes;
            if (!TKeys.Verify(ref this, keys, offset, out var key))
            {
                return In(i);
            }

            var next = (int)(XxHash64.Hash(key) & (uint)(buckets - 1));
            var isInPlace = next == bucket
                ? Ascending(previous, key, PositionOf(keys) + offset)
                : next > bucket ? Starts(starts, bucket + 1, next, i) : Fail(PositionOf(keys) + offset, WireRule.Buckets);
            if (!isInPlace)
            {
                return In(i);
            }

            previous = key;
            bucket = next;
        }

        return Starts(starts, bucket + 1, buckets, count);
    }

    // The buckets from the first to the last begin at the same key: all but the last are empty.
    private bool Starts(int starts, int first, int last, int key)
    {
        for (var bucket = first; bucket <= last; bucket++)
        {
            var position = starts + (bucket * sizeof(uint));
            if (Unsafe.ReadUnaligned<int>(ref At(position)) != key)
            {
                return Fail(position, WireRule.Buckets);
            }
        }

        return true;
    }

    private bool Ascending(scoped ReadOnlySpan<byte> previous, scoped ReadOnlySpan<byte> key, int position)
    {
        var comparison = previous.SequenceCompareTo(key);
        return comparison < 0 || Fail(position, comparison == 0 ? WireRule.EqualKeys : WireRule.KeyOrder);
    }
}
