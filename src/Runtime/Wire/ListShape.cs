using System.Collections.Immutable;
using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>All the C# types of lists and binaries. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListShape<T> :
    IListShape<T[], T>,
    IListShape<List<T>, T>,
    IListShape<IList<T>, T>,
    IListShape<ICollection<T>, T>,
    IListShape<IEnumerable<T>, T>,
    IListShape<IReadOnlyList<T>, T>,
    IListShape<IReadOnlyCollection<T>, T>,
    IListShape<ImmutableArray<T>, T>,
    IListShape<ImmutableArray<T>?, T>,
    IListShape<Memory<T>, T>,
    IListShape<Memory<T>?, T>,
    IListShape<ReadOnlyMemory<T>, T>,
    IListShape<ReadOnlyMemory<T>?, T>
{
    static ReadOnlySpan<T> IListShape<T[], T>.ElementsOf(T[]? source) => SourceElements.Of(source);

    static T[]? IListShape<T[], T>.Make(T[]? elements) => elements;

    static ReadOnlySpan<T> IListShape<List<T>, T>.ElementsOf(List<T>? source) => SourceElements.Of(source);

    static List<T>? IListShape<List<T>, T>.Make(T[]? elements) => CopiedElements.ToList(elements);

    static ReadOnlySpan<T> IListShape<IList<T>, T>.ElementsOf(IList<T>? source) => SourceElements.Of(source);

    static IList<T>? IListShape<IList<T>, T>.Make(T[]? elements) => CopiedElements.ToList(elements);

    static ReadOnlySpan<T> IListShape<ICollection<T>, T>.ElementsOf(ICollection<T>? source) => SourceElements.Of(source);

    static ICollection<T>? IListShape<ICollection<T>, T>.Make(T[]? elements) => CopiedElements.ToList(elements);

    static ReadOnlySpan<T> IListShape<IEnumerable<T>, T>.ElementsOf(IEnumerable<T>? source) => SourceElements.Of(source);

    static IEnumerable<T>? IListShape<IEnumerable<T>, T>.Make(T[]? elements) => elements;

    static ReadOnlySpan<T> IListShape<IReadOnlyList<T>, T>.ElementsOf(IReadOnlyList<T>? source) => SourceElements.Of(source);

    static IReadOnlyList<T>? IListShape<IReadOnlyList<T>, T>.Make(T[]? elements) => elements;

    static ReadOnlySpan<T> IListShape<IReadOnlyCollection<T>, T>.ElementsOf(IReadOnlyCollection<T>? source) => SourceElements.Of(source);

    static IReadOnlyCollection<T>? IListShape<IReadOnlyCollection<T>, T>.Make(T[]? elements) => elements;

    static ReadOnlySpan<T> IListShape<ImmutableArray<T>, T>.ElementsOf(ImmutableArray<T> source) => SourceElements.Of(source);

    static ImmutableArray<T> IListShape<ImmutableArray<T>, T>.Make(T[]? elements) => CopiedElements.ToImmutableArray(elements);

    static ReadOnlySpan<T> IListShape<ImmutableArray<T>?, T>.ElementsOf(ImmutableArray<T>? source) => SourceElements.Of(source);

    static ImmutableArray<T>? IListShape<ImmutableArray<T>?, T>.Make(T[]? elements) => CopiedElements.ToNullableImmutableArray(elements);

    static ReadOnlySpan<T> IListShape<Memory<T>, T>.ElementsOf(Memory<T> source) => SourceElements.Of(source);

    static Memory<T> IListShape<Memory<T>, T>.Make(T[]? elements) => CopiedElements.ToMemory(elements);

    static ReadOnlySpan<T> IListShape<Memory<T>?, T>.ElementsOf(Memory<T>? source) => SourceElements.Of(source);

    static Memory<T>? IListShape<Memory<T>?, T>.Make(T[]? elements) => CopiedElements.ToNullableMemory(elements);

    static ReadOnlySpan<T> IListShape<ReadOnlyMemory<T>, T>.ElementsOf(ReadOnlyMemory<T> source) => SourceElements.Of(source);

    static ReadOnlyMemory<T> IListShape<ReadOnlyMemory<T>, T>.Make(T[]? elements) => CopiedElements.ToReadOnlyMemory(elements);

    static ReadOnlySpan<T> IListShape<ReadOnlyMemory<T>?, T>.ElementsOf(ReadOnlyMemory<T>? source) => SourceElements.Of(source);

    static ReadOnlyMemory<T>? IListShape<ReadOnlyMemory<T>?, T>.Make(T[]? elements) => CopiedElements.ToNullableReadOnlyMemory(elements);
}
