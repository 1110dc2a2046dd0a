using System.Buffers;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The bytes of the keys of a dictionary that is written, and the order in which they are stored: by bucket, then by bytes.
/// For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct KeyOrder
{
    private const int LongRange = 16;
    private const int ExpectedKeyBytes = 32;

    // Disposing returns this to the pool.
    private readonly int[] _rentedNumbers;

    // After a zero, the ends of the keys' bytes; in stored order, the keys' numbers; the bucket of each key, and the start of each bucket.
    private readonly Span<int> _ends;
    private readonly Span<int> _sources;
    private readonly Span<int> _buckets;
    private readonly Span<int> _starts;
    private byte[] _rentedBytes;
    private Span<byte> _bytes;
    private int _added;

    internal KeyOrder(int count)
    {
        Debug.Assert(count >= 0, "A count is not negative.");
        var buckets = checked((int)DictionaryLayout.BucketCount((uint)count));
        _rentedNumbers = ArrayPool<int>.Shared.Rent(checked((3 * count) + 1 + buckets + 1));
        _bytes = _rentedBytes = ArrayPool<byte>.Shared.Rent((int)Math.Min((long)count * ExpectedKeyBytes, Array.MaxLength));
        _ends = _rentedNumbers.AsSpan(0, count + 1);
        _sources = _rentedNumbers.AsSpan(count + 1, count);
        _ends[0] = 0;
        if (buckets != 0)
        {
            _buckets = _rentedNumbers.AsSpan((2 * count) + 1, count);
            _starts = _rentedNumbers.AsSpan((3 * count) + 1, buckets + 1);
        }
    }

    /// <summary>Number of keys.</summary>
    internal readonly int Count => _sources.Length;

    /// <summary>The starts of the buckets, followed by the number of keys; empty if the keys are too few for buckets.</summary>
    internal readonly ReadOnlySpan<int> Starts => _starts;

    /// <summary>Adds the next key.</summary>
    internal void Add(string key)
    {
        if (key is null)
        {
            WriteFailure.ThrowNullKey();
        }

        var start = Reserve((long)key.Length * Utf8Text.MaxBytesPerChar);
        var written = Utf8Text.Write(key, _bytes[start..]);
        if (written < 0)
        {
            Utf8Text.ThrowFailure(written, _bytes.Length);
        }

        _ends[++_added] = start + written;
    }

    /// <summary>Adds the next key.</summary>
    internal void Add<T>(T key)
        where T : unmanaged
    {
        var start = Reserve(Unsafe.SizeOf<T>());
        WireValue.Write(ref _bytes[start], key);
        _ends[++_added] = start + Unsafe.SizeOf<T>();
    }

    /// <summary>Puts the keys in order, after all were added.</summary>
    /// <returns>The number of a key that was added before already; -1 if all are different.</returns>
    internal readonly int Sort()
    {
        if (!_buckets.IsEmpty)
        {
            return SortByBucket();
        }

        for (var i = 0; i < _sources.Length; i++)
        {
            _sources[i] = i;
        }

        return SortRange(_sources);
    }

    /// <summary>The number under which the key at a place in the order was added.</summary>
    internal readonly int SourceAt(int index) => _sources[index];

    /// <summary>The bytes of the key at a place in the order.</summary>
    internal readonly ReadOnlySpan<byte> BytesAt(int index) => BytesOf(_sources[index]);

    internal readonly void Dispose()
    {
        ArrayPool<int>.Shared.Return(_rentedNumbers);
        ArrayPool<byte>.Shared.Return(_rentedBytes);
    }

    private readonly ReadOnlySpan<byte> BytesOf(int source) => BytesOf(_bytes, _ends, source);

    private static ReadOnlySpan<byte> BytesOf(ReadOnlySpan<byte> bytes, ReadOnlySpan<int> ends, int source)
    {
        var start = ends[source];
        return bytes[start..ends[source + 1]];
    }

    // A byte more, so that an empty last key has a reference too.
    private int Reserve(long bytes)
    {
        var start = _ends[_added];
        if (start + bytes >= _bytes.Length)
        {
            Grow(start, start + bytes + 1);
        }

        return start;
    }

    private void Grow(int used, long bytes)
    {
        Debug.Assert(used >= 0 && bytes > 0, "Keys are added one after the other.");
        var grown = ArrayPool<byte>.Shared.Rent(checked((int)Math.Max(bytes, Math.Min(2L * _bytes.Length, Array.MaxLength))));
        _bytes[..used].CopyTo(grown);
        ArrayPool<byte>.Shared.Return(_rentedBytes);
        _bytes = _rentedBytes = grown;
    }

    // A counting sort: each start is first the number of keys of its bucket, then the bucket's end, and moves down to its start.
    private readonly int SortByBucket()
    {
        // Keys are not hashed while they are added: a hash of bytes that were just stored waits for the stores.
        _starts.Clear();
        for (var i = 0; i < _buckets.Length; i++)
        {
            var bucket = (int)XxHash64.Hash(BytesOf(i)) & (_starts.Length - 2);
            _buckets[i] = bucket;
            _starts[bucket]++;
        }

        var end = 0;
        foreach (ref var start in _starts)
        {
            end += start;
            start = end;
        }

        for (var i = _buckets.Length - 1; i >= 0; i--)
        {
            _sources[--_starts[_buckets[i]]] = i;
        }

        for (var i = 0; i < _starts.Length - 1; i++)
        {
            if (_starts[i + 1] - _starts[i] > 1 && SortRange(_sources[_starts[i].._starts[i + 1]]) is >= 0 and var twice)
            {
                return twice;
            }
        }

        return -1;
    }

    private readonly int SortRange(Span<int> sources)
    {
        if (sources.Length > LongRange)
        {
            return SortLongRange(sources);
        }

        for (var i = 1; i < sources.Length; i++)
        {
            var source = sources[i];
            var key = BytesOf(source);
            var place = i;
            for (; place > 0; place--)
            {
                var comparison = BytesOf(sources[place - 1]).SequenceCompareTo(key);
                if (comparison == 0)
                {
                    return source;
                }

                if (comparison < 0)
                {
                    break;
                }

                sources[place] = sources[place - 1];
            }

            sources[place] = source;
        }

        return -1;
    }

    // Reached only by keys that an attacker chose for one bucket.
    private readonly int SortLongRange(Span<int> sources)
    {
        var comparer = new ByBytes(_rentedBytes, _rentedNumbers);
        sources.Sort(comparer);
        for (var i = 1; i < sources.Length; i++)
        {
            if (comparer.Compare(sources[i - 1], sources[i]) == 0)
            {
                return sources[i];
            }
        }

        return -1;
    }

    private sealed class ByBytes(byte[] bytes, int[] ends) : IComparer<int>
    {
        public int Compare(int x, int y) => BytesOf(bytes, ends, x).SequenceCompareTo(BytesOf(bytes, ends, y));
    }
}
