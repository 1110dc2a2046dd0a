using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A dictionary with keys of fixed size, read and looked up in place. Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <remarks>The entries are in the order of the wire format, not in that of the source.</remarks>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TValue">The view of a value.</typeparam>
/// <typeparam name="TValues">The view of the list of values.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedDictionary<,,>.DebugView))]
public readonly ref struct BufferedDictionary<TKey, TValue, TValues> : IBufferedElement<BufferedDictionary<TKey, TValue, TValues>>
    where TKey : unmanaged
    where TValue : allows ref struct
    where TValues : IBufferedList<TValues, TValue>, allows ref struct
{
    private readonly DictionaryTable _table;
    private readonly TValues _values;

    internal BufferedDictionary(ListPlace place)
    {
        _table = DictionaryTable.Open(place, Unsafe.SizeOf<TKey>(), hasValues: true);
        _values = TValues.Create(_table.Values);
    }

    /// <summary>Gets whether the dictionary is null.</summary>
    public bool IsNull => _table.IsNull;

    /// <summary>Gets the number of entries; 0 if the dictionary is null.</summary>
    public int Count => _table.Count;

    /// <summary>Gets the keys, in the order of the entries.</summary>
    public BufferedValueList<TKey> Keys => new(_table.Keys.Values<TKey>());

    /// <summary>Gets the values, in the order of the entries.</summary>
    public TValues Values => _values;

    /// <summary>Gets the value of a key.</summary>
    /// <exception cref="KeyNotFoundException">The key is not in the dictionary.</exception>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public TValue this[TKey key]
    {
        get
        {
            var index = ValueKeys<TKey>.Find(_table, key);
            if (index < 0)
            {
                MissingKey.Throw(key);
            }

            return _values[index];
        }
    }

    /// <summary>Checks whether a key is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool ContainsKey(TKey key) => ValueKeys<TKey>.Find(_table, key) >= 0;

    /// <summary>Gets the value of a key, if it is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool TryGetValue(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        var index = ValueKeys<TKey>.Find(_table, key);
        value = index < 0 ? default : _values[index];
        return index >= 0;
    }

    /// <summary>Enumerates the entries.</summary>
    public BufferedDictionaryEnumerator<BufferedValueList<TKey>, TKey, TValues, TValue> GetEnumerator() => new(Keys, _values);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedValueList<TKey>, TKey, TValues, TValue>(Keys, _values);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) =>
        verifier.Dictionary<ValueKeys<TKey>, TValues>(container, offset);

    static BufferedDictionary<TKey, TValue, TValues> IBufferedElement<BufferedDictionary<TKey, TValue, TValues>>.Read(BlockReader slots, int offset) =>
        new(slots.ReadPlace(offset));

    internal sealed class DebugView(BufferedDictionary<TKey, TValue, TValues> dictionary)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Entries<BufferedValueList<TKey>, TKey, TValues, TValue>(dictionary.Keys, dictionary.Values);
    }
}
