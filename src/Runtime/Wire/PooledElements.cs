using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>A copy of the elements of a dictionary or set in a pooled array.</summary>
internal struct PooledElements<T> : IDisposable
{
    private const int FirstCapacity = 16;

    private T[] _array;

    private PooledElements(T[] array, int count)
    {
        _array = array;
        Count = count;
    }

    public int Count { get; private set; }

    public readonly ReadOnlySpan<T> Span => _array.AsSpan(0, Count);

    /// <summary>Copies the elements of a collection.</summary>
    public static PooledElements<T> Of(IEnumerable<T> source)
    {
        if (source is not ICollection<T> collection)
        {
            return OfEach(source);
        }

        var count = collection.Count;
        if (count == 0)
        {
            return new PooledElements<T>([], 0);
        }

        var array = ArrayPool<T>.Shared.Rent(count);
        collection.CopyTo(array, 0);
        return new PooledElements<T>(array, count);
    }

    /// <summary>Copies the elements of a collection whose count may change meanwhile.</summary>
    public static PooledElements<T> OfEach(IEnumerable<T> source)
    {
        var elements = new PooledElements<T>([], 0);
        foreach (var element in source)
        {
            elements.Add(element);
        }

        return elements;
    }

    /// <summary>An array for so many elements.</summary>
    public static PooledElements<T> OfCount(int count) => new(ArrayPool<T>.Shared.Rent(count), count);

    /// <summary>An element, to be set.</summary>
    public readonly ref T At(int index) => ref _array[index];

    public readonly void Dispose()
    {
        if (_array.Length != 0)
        {
            ArrayPool<T>.Shared.Return(_array, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }

    private void Add(T element)
    {
        if (Count == _array.Length)
        {
            var grown = ArrayPool<T>.Shared.Rent(Math.Max(FirstCapacity, 2 * Count));
            Span.CopyTo(grown);
            Dispose();
            _array = grown;
        }

        _array[Count++] = element;
    }
}

/// <summary>The elements of dictionaries.</summary>
internal static class PooledElements
{
    /// <summary>Copies the entries of a dictionary.</summary>
    public static PooledElements<KeyValuePair<TKey, TValue>> OfEntries<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> source)
        where TKey : notnull
        => source is ConcurrentDictionary<TKey, TValue>
            ? PooledElements<KeyValuePair<TKey, TValue>>.OfEach(source)
            : PooledElements<KeyValuePair<TKey, TValue>>.Of(source);
}
