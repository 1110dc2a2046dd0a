using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>Turns the array that <see cref="ObjectReader"/> made into the collection type of the source. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CopiedElements
{
    /// <summary>A list of the elements, or null.</summary>
    public static List<T>? ToList<T>(T[]? elements) => elements is null ? null : [.. elements];

    /// <summary>An immutable array over the elements; null gives the default one.</summary>
    public static ImmutableArray<T> ToImmutableArray<T>(T[]? elements) => ImmutableCollectionsMarshal.AsImmutableArray(elements);

    /// <summary>An immutable array over the elements, or null.</summary>
    public static ImmutableArray<T>? ToNullableImmutableArray<T>(T[]? elements) => elements is null ? default(ImmutableArray<T>?) : ToImmutableArray(elements);

    /// <summary>The elements; null gives the empty memory.</summary>
    public static Memory<T> ToMemory<T>(T[]? elements) => elements;

    /// <summary>The elements, or null.</summary>
    public static Memory<T>? ToNullableMemory<T>(T[]? elements) => elements is null ? default(Memory<T>?) : new Memory<T>(elements);

    /// <summary>The elements; null gives the empty memory.</summary>
    public static ReadOnlyMemory<T> ToReadOnlyMemory<T>(T[]? elements) => elements;

    /// <summary>The elements, or null.</summary>
    public static ReadOnlyMemory<T>? ToNullableReadOnlyMemory<T>(T[]? elements) => elements is null ? default(ReadOnlyMemory<T>?) : new ReadOnlyMemory<T>(elements);
}
