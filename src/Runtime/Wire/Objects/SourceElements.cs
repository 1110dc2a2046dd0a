using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The elements of a source's collection as a span. A collection that is null gives the default span, an empty one never does.
/// For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class SourceElements
{
    private const int FirstCapacity = 16;

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(T[]? source) => source;

    /// <summary>Gets the elements, in place. A change of the list's size leaves the span on the old elements.</summary>
    public static ReadOnlySpan<T> Of<T>(List<T>? source) => CollectionsMarshal.AsSpan(source);

    /// <summary>Gets the elements, in place; those of the default segment are null.</summary>
    public static ReadOnlySpan<T> Of<T>(ArraySegment<T> source) => new(source.Array, source.Offset, source.Count);

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ArraySegment<T>? source) => Of(source.GetValueOrDefault());

    /// <summary>Gets the elements, in place; those of the default array are null.</summary>
    public static ReadOnlySpan<T> Of<T>(ImmutableArray<T> source) => source.AsSpan();

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ImmutableArray<T>? source) => source.GetValueOrDefault().AsSpan();

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(Memory<T> source) => NotNull<T>(source.Span);

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(Memory<T>? source) => source is { } memory ? Of(memory) : default;

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ReadOnlyMemory<T> source) => NotNull(source.Span);

    /// <summary>Gets the elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ReadOnlyMemory<T>? source) => source is { } memory ? Of(memory) : default;

    /// <summary>The elements of a collection that need not be in one piece: in place in an array or a list, otherwise a copy, for which it is walked once.</summary>
    /// <exception cref="InvalidOperationException">The collection was changed during the copy, and the change was detected.</exception>
    internal static SourceSpan<T> OfSequence<T>(IEnumerable<T>? source) => source switch
    {
        null => default,
        T[] array => new SourceSpan<T>(array),
        List<T> list => new SourceSpan<T>(CollectionsMarshal.AsSpan(list)),
        ICollection<T> collection => Copy(source, collection.Count),
        Queue<T> queue => Copy(source, queue.Count),
        Stack<T> stack => Copy(source, stack.Count),
        _ => Walk(source),
    };

    /// <summary>The entries of a dictionary, copied. A concurrent dictionary may be changed during the copy.</summary>
    internal static SourceSpan<KeyValuePair<TKey, TValue>> OfEntries<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> source)
        where TKey : notnull
        => source is ConcurrentDictionary<TKey, TValue> ? Walk(source) : OfSequence(source);

    /// <summary>Whether the elements are those of a collection that is null.</summary>
    internal static bool IsNull<T>(ReadOnlySpan<T> elements) => Unsafe.IsNullRef(ref MemoryMarshal.GetReference(elements));

    /// <summary>Whether an element is not null. In this form the test boxes no struct, even in unoptimized code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsPresent<T>([NotNullWhen(true)] in T? element) => default(T) is not null || element is not null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool ContainsNull<T>(ReadOnlySpan<T> elements)
    {
        // Decided by the JIT: values that cannot be null are not tested.
        if (IsPresent(default(T)))
        {
            return false;
        }

        foreach (ref readonly var element in elements)
        {
            if (!IsPresent(in element))
            {
                return true;
            }
        }

        return false;
    }

    private static SourceSpan<T> Copy<T>(IEnumerable<T> source, int count)
    {
        if (count == 0)
        {
            return new SourceSpan<T>([], 0);
        }

        // If the collection shrinks during the copy, the rest of the array must not hold bytes of the pool's last user.
        var elements = ArrayPool<T>.Shared.Rent(count);
        elements.AsSpan(0, count).Clear();
        if (!TryCopy(elements, count, source))
        {
            WriteFailure.ThrowChanged();
        }

        return new SourceSpan<T>(elements, count);
    }

    // The array has room for the count, so an exception about its size says that the collection grew.
    private static bool TryCopy<T>(T[] elements, int count, IEnumerable<T> source)
    {
        try
        {
            return CopyTo(elements, source) == count;
        }
        catch (Exception exception) when (exception is ArgumentException or IndexOutOfRangeException)
        {
            return false;
        }
    }

    // Returns the count that the collection reports after the copy.
    private static int CopyTo<T>(T[] elements, IEnumerable<T> source)
    {
        switch (source)
        {
            case ICollection<T> collection:
                collection.CopyTo(elements, 0);
                return collection.Count;
            case Queue<T> queue:
                queue.CopyTo(elements, 0);
                return queue.Count;
            default:
                var stack = (Stack<T>)source;
                stack.CopyTo(elements, 0);
                return stack.Count;
        }
    }

    private static SourceSpan<T> Walk<T>(IEnumerable<T> source)
    {
        T[] elements = [];
        var count = 0;
        foreach (var element in source)
        {
            if (count == elements.Length)
            {
                elements = Grow(elements);
            }

            elements[count++] = element;
        }

        return new SourceSpan<T>(elements, count);
    }

    private static T[] Grow<T>(T[] elements)
    {
        var grown = ArrayPool<T>.Shared.Rent(Math.Max(FirstCapacity, checked(2 * elements.Length)));
        elements.CopyTo(grown, 0);
        new SourceSpan<T>(elements, 0).Dispose();
        return grown;
    }

    /// <summary>Gets the same elements; an empty span is not null.</summary>
    public static ReadOnlySpan<T> NotNull<T>(ReadOnlySpan<T> elements) => elements.IsEmpty ? new ReadOnlySpan<T>(Array.Empty<T>()) : elements;
}
