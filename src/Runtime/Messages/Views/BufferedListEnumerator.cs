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
    // Positions in place of indices: a step is an addition, and needs no product with the size of an element.
    private readonly TList _list;
    private readonly int _end;
    private int _position;

    internal BufferedListEnumerator(TList list)
    {
        _list = list;
        _end = list.Count * list.Step;
        _position = -list.Step;
    }

    /// <summary>Gets the current element.</summary>
    /// <exception cref="IndexOutOfRangeException">There is no current element: <see cref="MoveNext"/> has not been called yet, or returned false.</exception>
    public readonly TElement Current
    {
        get
        {
            Bounds.Require(_position, _end);
            return _list.AtPosition(_position);
        }
    }

    /// <summary>Advances to the next element.</summary>
    /// <returns>False after the last element.</returns>
    public bool MoveNext()
    {
        var next = _position + _list.Step;
        if ((uint)next < (uint)_end)
        {
            _position = next;
            return true;
        }

        // Never further, so that no number of calls leads to a position between two elements.
        _position = _end;
        return false;
    }
}
