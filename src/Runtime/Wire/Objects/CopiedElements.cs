using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>The conversion of the array that <see cref="ObjectReader"/> made into the collection type of the source. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CopiedElements
{
    /// <summary>Makes a list of the elements, or null.</summary>
    public static List<T>? ToList<T>(T[]? elements) => elements is null ? null : [.. elements];

    /// <summary>Makes a segment of all elements; null gives the default one.</summary>
    public static ArraySegment<T> ToArraySegment<T>(T[]? elements) => elements is null ? default : new ArraySegment<T>(elements);

    /// <summary>Makes a segment of all elements, or null.</summary>
    public static ArraySegment<T>? ToNullableArraySegment<T>(T[]? elements) => elements is null ? default(ArraySegment<T>?) : ToArraySegment(elements);

    /// <summary>Makes an immutable array over the elements; null gives the default one.</summary>
    public static ImmutableArray<T> ToImmutableArray<T>(T[]? elements) => ImmutableCollectionsMarshal.AsImmutableArray(elements);

    /// <summary>Makes an immutable array over the elements, or null.</summary>
    public static ImmutableArray<T>? ToNullableImmutableArray<T>(T[]? elements) => elements is null ? default(ImmutableArray<T>?) : ToImmutableArray(elements);

    /// <summary>Gets the elements; null gives the empty memory.</summary>
    public static Memory<T> ToMemory<T>(T[]? elements) => elements;

    /// <summary>Gets the elements, or null.</summary>
    public static Memory<T>? ToNullableMemory<T>(T[]? elements) => elements is null ? default(Memory<T>?) : new Memory<T>(elements);

    /// <summary>Gets the elements; null gives the empty memory.</summary>
    public static ReadOnlyMemory<T> ToReadOnlyMemory<T>(T[]? elements) => elements;

    /// <summary>Gets the elements, or null.</summary>
    public static ReadOnlyMemory<T>? ToNullableReadOnlyMemory<T>(T[]? elements) => elements is null ? default(ReadOnlyMemory<T>?) : new ReadOnlyMemory<T>(elements);

    /// <summary>Makes an immutable list of the elements, or null.</summary>
    public static ImmutableList<T>? ToImmutableList<T>(T[]? elements) => elements is null ? null : [.. elements];

    /// <summary>Makes a queue that gives the elements in their order, or null.</summary>
    public static Queue<T>? ToQueue<T>(T[]? elements) => elements is null ? null : new Queue<T>(elements);

    /// <summary>Makes a stack that gives the elements in their order, or null.</summary>
    public static Stack<T>? ToStack<T>(T[]? elements)
    {
        if (elements is null)
        {
            return null;
        }

        // A stack is enumerated, and so written, from the top: the last one pushed comes first.
        var stack = new Stack<T>(elements.Length);
        for (var i = elements.Length - 1; i >= 0; i--)
        {
            stack.Push(elements[i]);
        }

        return stack;
    }

    /// <summary>Makes a linked list of the elements, or null.</summary>
    public static LinkedList<T>? ToLinkedList<T>(T[]? elements) => elements is null ? null : new LinkedList<T>(elements);

    /// <summary>Makes a collection of the elements, or null.</summary>
    public static Collection<T>? ToCollection<T>(T[]? elements) => elements is null ? null : new Collection<T>(ToList(elements)!);

    /// <summary>Makes a read-only collection over the elements, or null.</summary>
    public static ReadOnlyCollection<T>? ToReadOnlyCollection<T>(T[]? elements) => elements is null ? null : new ReadOnlyCollection<T>(elements);

    /// <summary>Makes an observable collection of the elements, or null.</summary>
    public static ObservableCollection<T>? ToObservableCollection<T>(T[]? elements) => elements is null ? null : new ObservableCollection<T>(elements);
}
