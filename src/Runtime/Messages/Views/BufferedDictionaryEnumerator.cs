using System.ComponentModel;

namespace BufferedMessages;

/// <summary>The enumerator of the entries of a dictionary, in place.</summary>
/// <typeparam name="TKeys">The view of the list of keys.</typeparam>
/// <typeparam name="TKey">The view of a key.</typeparam>
/// <typeparam name="TValues">The view of the list of values.</typeparam>
/// <typeparam name="TValue">The view of a value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct BufferedDictionaryEnumerator<TKeys, TKey, TValues, TValue>
    where TKeys : IBufferedList<TKeys, TKey>, allows ref struct
    where TKey : allows ref struct
    where TValues : IBufferedList<TValues, TValue>, allows ref struct
    where TValue : allows ref struct
{
    private readonly TKeys _keys;
    private readonly TValues _values;
    private int _index;

    // Of the same table, so there are as many values as keys.
    internal BufferedDictionaryEnumerator(TKeys keys, TValues values)
    {
        _keys = keys;
        _values = values;
        _index = -1;
    }

    /// <summary>Gets the current entry.</summary>
    /// <exception cref="IndexOutOfRangeException">There is no current entry: <see cref="MoveNext"/> has not been called yet, or returned false.</exception>
    public readonly BufferedEntry<TKey, TValue> Current
    {
        get
        {
            Bounds.Require(_index, _keys.Count);
            return new BufferedEntry<TKey, TValue>(_keys.AtPosition(_index * _keys.Step), _values.AtPosition(_index * _values.Step));
        }
    }

    /// <summary>Advances to the next entry.</summary>
    /// <returns>False after the last entry.</returns>
    public bool MoveNext() => (uint)++_index < (uint)_keys.Count;
}
