using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>The conversion of a C# collection into the elements of a list and back. For generated code.</summary>
/// <typeparam name="TList">The C# type of the collection.</typeparam>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IListShape<TList, T>
{
    /// <summary>Gets the elements: the default span for null, but never for an empty collection.</summary>
    static abstract SourceSpan<T> ElementsOf(TList? source);

    /// <summary>Creates the collection from these elements, which it may keep; returns its null for null.</summary>
    static abstract TList? Make(T[]? elements);
}

/// <summary>All the C# types of lists and binaries. For generated code.</summary>
/// <typeparam name="T">The C# type of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListShape<T> :
    IListShape<T[], T>,
    IListShape<List<T>, T>,
    IListShape<ArraySegment<T>, T>,
    IListShape<ArraySegment<T>?, T>,
    IListShape<ImmutableArray<T>, T>,
    IListShape<ImmutableArray<T>?, T>,
    IListShape<Memory<T>, T>,
    IListShape<Memory<T>?, T>,
    IListShape<ReadOnlyMemory<T>, T>,
    IListShape<ReadOnlyMemory<T>?, T>,
    IListShape<IList<T>, T>,
    IListShape<ICollection<T>, T>,
    IListShape<IReadOnlyList<T>, T>,
    IListShape<IReadOnlyCollection<T>, T>,
    IListShape<IEnumerable<T>, T>,
    IListShape<ImmutableList<T>, T>,
    IListShape<Queue<T>, T>,
    IListShape<Stack<T>, T>,
    IListShape<LinkedList<T>, T>,
    IListShape<Collection<T>, T>,
    IListShape<ReadOnlyCollection<T>, T>,
    IListShape<ObservableCollection<T>, T>
{
    static SourceSpan<T> IListShape<T[], T>.ElementsOf(T[]? source) => new(SourceElements.Of(source));

    static T[]? IListShape<T[], T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<List<T>, T>.ElementsOf(List<T>? source) => new(SourceElements.Of(source));

    static List<T>? IListShape<List<T>, T>.Make(T[]? elements) => elements is null ? null : new List<T>(elements);

    static SourceSpan<T> IListShape<ArraySegment<T>, T>.ElementsOf(ArraySegment<T> source) => new(SourceElements.Of(source));

    static ArraySegment<T> IListShape<ArraySegment<T>, T>.Make(T[]? elements) => elements is null ? default : new ArraySegment<T>(elements);

    static SourceSpan<T> IListShape<ArraySegment<T>?, T>.ElementsOf(ArraySegment<T>? source) => new(SourceElements.Of(source));

    static ArraySegment<T>? IListShape<ArraySegment<T>?, T>.Make(T[]? elements) => elements is null ? default(ArraySegment<T>?) : new ArraySegment<T>(elements);

    static SourceSpan<T> IListShape<ImmutableArray<T>, T>.ElementsOf(ImmutableArray<T> source) => new(SourceElements.Of(source));

    static ImmutableArray<T> IListShape<ImmutableArray<T>, T>.Make(T[]? elements) => ImmutableCollectionsMarshal.AsImmutableArray(elements);

    static SourceSpan<T> IListShape<ImmutableArray<T>?, T>.ElementsOf(ImmutableArray<T>? source) => new(SourceElements.Of(source));

    static ImmutableArray<T>? IListShape<ImmutableArray<T>?, T>.Make(T[]? elements) => elements is null ? default(ImmutableArray<T>?) : ImmutableCollectionsMarshal.AsImmutableArray(elements);

    static SourceSpan<T> IListShape<Memory<T>, T>.ElementsOf(Memory<T> source) => new(SourceElements.Of(source));

    static Memory<T> IListShape<Memory<T>, T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<Memory<T>?, T>.ElementsOf(Memory<T>? source) => new(SourceElements.Of(source));

    static Memory<T>? IListShape<Memory<T>?, T>.Make(T[]? elements) => elements is null ? default(Memory<T>?) : new Memory<T>(elements);

    static SourceSpan<T> IListShape<ReadOnlyMemory<T>, T>.ElementsOf(ReadOnlyMemory<T> source) => new(SourceElements.Of(source));

    static ReadOnlyMemory<T> IListShape<ReadOnlyMemory<T>, T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<ReadOnlyMemory<T>?, T>.ElementsOf(ReadOnlyMemory<T>? source) => new(SourceElements.Of(source));

    static ReadOnlyMemory<T>? IListShape<ReadOnlyMemory<T>?, T>.Make(T[]? elements) => elements is null ? default(ReadOnlyMemory<T>?) : new ReadOnlyMemory<T>(elements);

    static SourceSpan<T> IListShape<IList<T>, T>.ElementsOf(IList<T>? source) => SourceElements.OfSequence(source);

    static IList<T>? IListShape<IList<T>, T>.Make(T[]? elements) => elements is null ? null : new List<T>(elements);

    static SourceSpan<T> IListShape<ICollection<T>, T>.ElementsOf(ICollection<T>? source) => SourceElements.OfSequence(source);

    static ICollection<T>? IListShape<ICollection<T>, T>.Make(T[]? elements) => elements is null ? null : new List<T>(elements);

    static SourceSpan<T> IListShape<IReadOnlyList<T>, T>.ElementsOf(IReadOnlyList<T>? source) => SourceElements.OfSequence(source);

    static IReadOnlyList<T>? IListShape<IReadOnlyList<T>, T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<IReadOnlyCollection<T>, T>.ElementsOf(IReadOnlyCollection<T>? source) => SourceElements.OfSequence(source);

    static IReadOnlyCollection<T>? IListShape<IReadOnlyCollection<T>, T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<IEnumerable<T>, T>.ElementsOf(IEnumerable<T>? source) => SourceElements.OfSequence(source);

    static IEnumerable<T>? IListShape<IEnumerable<T>, T>.Make(T[]? elements) => elements;

    static SourceSpan<T> IListShape<ImmutableList<T>, T>.ElementsOf(ImmutableList<T>? source) => SourceElements.OfSequence(source);

    static ImmutableList<T>? IListShape<ImmutableList<T>, T>.Make(T[]? elements) => elements is null ? null : [.. elements];

    static SourceSpan<T> IListShape<Queue<T>, T>.ElementsOf(Queue<T>? source) => SourceElements.OfSequence(source);

    static Queue<T>? IListShape<Queue<T>, T>.Make(T[]? elements) => elements is null ? null : new Queue<T>(elements);

    // A stack is enumerated, and so written, from the top: the last one pushed comes first.
    static SourceSpan<T> IListShape<Stack<T>, T>.ElementsOf(Stack<T>? source) => SourceElements.OfSequence(source);

    static Stack<T>? IListShape<Stack<T>, T>.Make(T[]? elements) => elements is null ? null : new Stack<T>(Enumerable.Reverse(elements));

    static SourceSpan<T> IListShape<LinkedList<T>, T>.ElementsOf(LinkedList<T>? source) => SourceElements.OfSequence(source);

    static LinkedList<T>? IListShape<LinkedList<T>, T>.Make(T[]? elements) => elements is null ? null : new LinkedList<T>(elements);

    static SourceSpan<T> IListShape<Collection<T>, T>.ElementsOf(Collection<T>? source) => SourceElements.OfSequence(source);

    static Collection<T>? IListShape<Collection<T>, T>.Make(T[]? elements) => elements is null ? null : new Collection<T>(new List<T>(elements));

    static SourceSpan<T> IListShape<ReadOnlyCollection<T>, T>.ElementsOf(ReadOnlyCollection<T>? source) => SourceElements.OfSequence(source);

    static ReadOnlyCollection<T>? IListShape<ReadOnlyCollection<T>, T>.Make(T[]? elements) => elements is null ? null : new ReadOnlyCollection<T>(elements);

    static SourceSpan<T> IListShape<ObservableCollection<T>, T>.ElementsOf(ObservableCollection<T>? source) => SourceElements.OfSequence(source);

    static ObservableCollection<T>? IListShape<ObservableCollection<T>, T>.Make(T[]? elements) => elements is null ? null : new ObservableCollection<T>(elements);
}
