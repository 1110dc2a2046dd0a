using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// Gives the elements of a source's collection as a span: in place for arrays, lists and memories, else as a copy. A collection that is
/// null gives the default span, an empty one never does. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class SourceElements
{
    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(T[]? source) => source;

    /// <summary>The elements, in place. Changing the list's size meanwhile leaves the span on the old elements.</summary>
    public static ReadOnlySpan<T> Of<T>(List<T>? source) => CollectionsMarshal.AsSpan(source);

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ImmutableArray<T> source) => source.AsSpan();

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(Memory<T> source) => NotNull<T>(source.Span);

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ReadOnlyMemory<T> source) => NotNull(source.Span);

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ImmutableArray<T>? source) => source.GetValueOrDefault().AsSpan();

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(Memory<T>? source) => source is { } memory ? Of(memory) : default;

    /// <summary>The elements, in place.</summary>
    public static ReadOnlySpan<T> Of<T>(ReadOnlyMemory<T>? source) => source is { } memory ? Of(memory) : default;

    /// <summary>The elements: in place if the collection is an array or a list, else copied to a new array.</summary>
    public static ReadOnlySpan<T> Of<T>(IEnumerable<T>? source) => source switch
    {
        null => default,
        T[] array => array,
        List<T> list => CollectionsMarshal.AsSpan(list),
        _ => source.ToArray(),
    };

    /// <summary>Whether the elements are those of a collection that is null.</summary>
    internal static bool IsNull<T>(ReadOnlySpan<T> elements) => Unsafe.IsNullRef(ref MemoryMarshal.GetReference(elements));

    internal static bool ContainsNull<T>(ReadOnlySpan<T> elements)
    {
        // Decided by the JIT: values that cannot be null are not looked at.
        if (default(T) is not null)
        {
            return false;
        }

        foreach (var element in elements)
        {
            if (element is null)
            {
                return true;
            }
        }

        return false;
    }

    // A memory cannot be null; the span over the default one would say that it is.
    private static ReadOnlySpan<T> NotNull<T>(ReadOnlySpan<T> elements) => elements.IsEmpty ? new ReadOnlySpan<T>(Array.Empty<T>()) : elements;
}
