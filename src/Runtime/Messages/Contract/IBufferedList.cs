using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>What every view of a list implements: so a dictionary view can hold its values as any of them.</summary>
/// <typeparam name="TSelf">The implementing view itself.</typeparam>
/// <typeparam name="TElement">The view of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBufferedList<TSelf, TElement> : IVerifiedElements
    where TSelf : IBufferedList<TSelf, TElement>, allows ref struct
    where TElement : allows ref struct
{
    /// <summary>Whether the list is null.</summary>
    bool IsNull { get; }

    /// <summary>Number of elements; 0 if the list is null.</summary>
    int Count { get; }

    /// <summary>The element at an index.</summary>
    TElement this[int index] { get; }

    /// <summary>Makes a view of a list.</summary>
    internal static abstract TSelf Create(ListPlace place);

    /// <summary>The element at an index, which is not checked: for callers that have compared it with <see cref="Count"/>.</summary>
    internal TElement At(int index);

    /// <summary>The element at an index as people read it. Allocates.</summary>
    internal string TextAt(int index);
}
