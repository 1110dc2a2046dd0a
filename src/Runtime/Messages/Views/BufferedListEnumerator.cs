using System.ComponentModel;

namespace BufferedMessages;

/// <summary>The enumerator of the elements of a list, in place.</summary>
/// <typeparam name="TList">The view of the list.</typeparam>
/// <typeparam name="TElement">The view of an element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct BufferedListEnumerator<TList, TElement>
    where TList : IBufferedList<TList, TElement>, allows ref struct
    where TElement : allows ref struct
{
    private readonly TList _list;
    private int _index;

    internal BufferedListEnumerator(TList list)
    {
        _list = list;
        _index = -1;
    }

    /// <summary>Gets the current element.</summary>
    /// <exception cref="IndexOutOfRangeException">There is none: <see cref="MoveNext"/> was not called yet, or returned false.</exception>
    public readonly TElement Current
    {
        get
        {
            Bounds.Require(_index, _list.Count);
            return _list.At(_index);
        }
    }

    /// <summary>Steps to the next element.</summary>
    /// <returns>False if there is none.</returns>
    public bool MoveNext() => (uint)++_index < (uint)_list.Count;
}
