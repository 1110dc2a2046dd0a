using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;

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

    private readonly int _count;
    private readonly int _bucketCount;

    // ends of the keys in the bytes | sources, in stored order | bucket of each key | starts of the buckets
    private readonly int[] _numbers;
    private byte[] _bytes;
    private int _added;
    private int _end;

    internal KeyOrder(int count)
    {
        _count = count;
        _bucketCount = checked((int)DictionaryLayout.BucketCount((uint)count));
        _numbers = ArrayPool<int>.Shared.Rent(checked((3 * count) + _bucketCount + 1));
        _bytes = ArrayPool<byte>.Shared.Rent((int)Math.Min((long)count * ExpectedKeyBytes, Array.MaxLength));
    }

    /// <summary>Number of keys.</summary>
    internal readonly int Count => _count;

    /// <summary>The starts of the buckets, and the number of keys behind them; empty if the keys are too few for buckets.</summary>
    internal readonly ReadOnlySpan<int> Starts => _bucketCount == 0 ? default : _numbers.AsSpan(3 * _count, _bucketCount + 1);

    private readonly Span<int> Sources => _numbers.AsSpan(_count, _count);

    /// <summary>Adds the next key.</summary>
    internal void Add(string key)
    {
        if (key is null)
        {
            WriteFailure.ThrowNullKey();
        }

        Reserve((long)key.Length * Utf8Text.MaxBytesPerChar);
        var written = Utf8Text.Write(key, ref _bytes[_end], _bytes.Length - _end);
        if (written < 0)
        {
            Utf8Text.ThrowFailure(written, _bytes.Length);
        }

        _end += written;
        _numbers[_added++] = _end;
    }

    /// <summary>Adds the next key.</summary>
    internal void Add<T>(T key)
        where T : unmanaged
    {
        Reserve(Unsafe.SizeOf<T>());
        WireValue.Write(ref _bytes[_end], key);
        _end += Unsafe.SizeOf<T>();
        _numbers[_added++] = _end;
    }

    /// <summary>Puts the keys in order, after all were added.</summary>
    /// <returns>The number of a key that was added before already; -1 if all are different.</returns>
    internal readonly int Sort()
    {
        if (_bucketCount != 0)
        {
            return SortByBucket();
        }

        var sources = Sources;
        for (var i = 0; i < sources.Length; i++)
        {
            sources[i] = i;
        }

        return SortRange(sources);
    }

    /// <summary>The number under which the key at a place in the order was added.</summary>
    internal readonly int SourceAt(int index) => Sources[index];

    /// <summary>The bytes of the key at a place in the order.</summary>
    internal readonly ReadOnlySpan<byte> BytesAt(int index) => BytesOf(_bytes, _numbers, Sources[index]);

    internal readonly void Dispose()
    {
        ArrayPool<int>.Shared.Return(_numbers);
        ArrayPool<byte>.Shared.Return(_bytes);
    }

    private static ReadOnlySpan<byte> BytesOf(byte[] bytes, int[] ends, int source)
    {
        var start = source == 0 ? 0 : ends[source - 1];
        return bytes.AsSpan(start, ends[source] - start);
    }

    // A byte more, so that there is a reference behind the last one also for an empty key.
    private void Reserve(long bytes)
    {
        if (_end + bytes >= _bytes.Length)
        {
            Grow(_end + bytes + 1);
        }
    }

    private void Grow(long bytes)
    {
        var grown = ArrayPool<byte>.Shared.Rent(checked((int)Math.Max(bytes, Math.Min(2L * _bytes.Length, Array.MaxLength))));
        _bytes.AsSpan(0, _end).CopyTo(grown);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = grown;
    }

    // A counting sort: each start is first the number of keys of its bucket, then the bucket's end, and moves down to its start.
    private readonly int SortByBucket()
    {
        var sources = Sources;
        var buckets = _numbers.AsSpan(2 * _count, _count);
        var starts = _numbers.AsSpan(3 * _count, _bucketCount + 1);
        starts.Clear();
        for (var i = 0; i < buckets.Length; i++)
        {
            buckets[i] = (int)(XxHash64.Hash(BytesOf(_bytes, _numbers, i)) & (uint)(_bucketCount - 1));
            starts[buckets[i]]++;
        }

        var end = 0;
        foreach (ref var start in starts)
        {
            end += start;
            start = end;
        }

        for (var i = buckets.Length - 1; i >= 0; i--)
        {
            sources[--starts[buckets[i]]] = i;
        }

        for (var i = 0; i < _bucketCount; i++)
        {
            if (starts[i + 1] - starts[i] > 1 && SortRange(sources[starts[i]..starts[i + 1]]) is >= 0 and var twice)
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
            var key = BytesOf(_bytes, _numbers, source);
            var place = i;
            for (; place > 0; place--)
            {
                var comparison = BytesOf(_bytes, _numbers, sources[place - 1]).SequenceCompareTo(key);
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

    // Only keys that were chosen for it come here.
    private readonly int SortLongRange(Span<int> sources)
    {
        var comparer = new ByBytes(_bytes, _numbers);
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
