using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A view of a list. A dictionary view can hold its values in any of these.</summary>
/// <typeparam name="TSelf">The implementing view itself.</typeparam>
/// <typeparam name="TElement">The view of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBufferedList<TSelf, TElement> : IVerifiedElements
    where TSelf : IBufferedList<TSelf, TElement>, allows ref struct
    where TElement : allows ref struct
{
    /// <summary>Gets whether the list is null.</summary>
    bool IsNull { get; }

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    int Count { get; }

    /// <summary>Gets the element at an index.</summary>
    TElement this[int index] { get; }

    /// <summary>Creates a view of a list.</summary>
    internal static abstract TSelf Create(ListPlace place);

    /// <summary>Gets the distance between the positions of two adjacent elements; the first position is 0.</summary>
    internal int Step { get; }

    /// <summary>
    /// Gets the element at an unchecked position, for callers that have checked it against the product of <see cref="Count"/> and <see cref="Step"/>, an <see cref="int"/>.
    /// </summary>
    internal TElement AtPosition(int position);

    /// <summary>Returns the element at an index in readable form. Allocates.</summary>
    internal string TextAt(int index);
}
