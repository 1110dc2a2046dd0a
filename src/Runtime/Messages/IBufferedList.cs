using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>What every view of a list implements: so a dictionary view can hold its values as any of them.</summary>
/// <typeparam name="TSelf">The implementing view itself.</typeparam>
/// <typeparam name="TElement">The view of an element.</typeparam>
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

    /// <summary>The element at an index as people read it. Allocates.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    string TextAt(int index);

    /// <summary>Makes a view of a list. For the runtime.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Create(ListPlace place);
}
