using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A dictionary with strings as keys, read in place. Lookup by UTF-8 bytes or by characters is ordinal, whichever comparer the source
/// has. Valid as long as the bytes of the message are. Allocates nothing. Lookup is fastest with UTF-8 keys such as <c>"net"u8</c>.
/// </summary>
/// <remarks>The entries are in the order of the wire format, not in that of the source.</remarks>
/// <typeparam name="TValue">The view of a value.</typeparam>
/// <typeparam name="TValues">The view of the list of values.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedStringDictionary<,>.DebugView))]
public readonly ref struct BufferedStringDictionary<TValue, TValues> : IBufferedElement<BufferedStringDictionary<TValue, TValues>>
    where TValue : allows ref struct
    where TValues : IBufferedList<TValues, TValue>, allows ref struct
{
    private readonly DictionaryTable _table;
    private readonly TValues _values;

    internal BufferedStringDictionary(ListPlace place)
    {
        _table = DictionaryTable.Open(place, WireFormat.SlotBytes, hasValues: true);
        _values = TValues.Create(_table.Values);
    }

    /// <summary>Gets whether the dictionary is null.</summary>
    public bool IsNull => _table.IsNull;

    /// <summary>Gets the number of entries; 0 if the dictionary is null.</summary>
    public int Count => _table.Count;

    /// <summary>Gets the keys, in the order of the entries.</summary>
    public BufferedList<BufferedString> Keys => new(_table.Keys.Slots());

    /// <summary>Gets the values, in the order of the entries.</summary>
    public TValues Values => _values;

    /// <summary>Gets the value of a key.</summary>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="KeyNotFoundException">The key is not in the dictionary.</exception>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public TValue this[string key]
    {
        get
        {
            ArgumentNullException.ThrowIfNull(key);
            return this[key.AsSpan()];
        }
    }

    /// <inheritdoc cref="this[string]"/>
    public TValue this[ReadOnlySpan<char> key]
    {
        get
        {
            var index = TextKeys.Find(_table, key);
            if (index < 0)
            {
                MissingKey.Throw(key);
            }

            return _values[index];
        }
    }

    /// <summary>Gets the value of a UTF-8 key.</summary>
    /// <inheritdoc cref="this[string]" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public TValue this[ReadOnlySpan<byte> key]
    {
        get
        {
            var index = TextKeys.Find(_table, key);
            if (index < 0)
            {
                MissingKey.Throw(key);
            }

            return _values[index];
        }
    }

    /// <summary>Checks whether a key is in the dictionary.</summary>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool ContainsKey(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return TextKeys.Find(_table, key.AsSpan()) >= 0;
    }

    /// <summary>Checks whether a key is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool ContainsKey(ReadOnlySpan<char> key) => TextKeys.Find(_table, key) >= 0;

    /// <summary>Checks whether a UTF-8 key is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    [OverloadResolutionPriority(1)]
    public bool ContainsKey(ReadOnlySpan<byte> key) => TextKeys.Find(_table, key) >= 0;

    /// <summary>Gets the value of a key, if it is in the dictionary.</summary>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool TryGetValue(string key, [MaybeNullWhen(false)] out TValue value)
    {
        ArgumentNullException.ThrowIfNull(key);
        return TryGetAt(TextKeys.Find(_table, key.AsSpan()), out value);
    }

    /// <summary>Gets the value of a key, if it is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool TryGetValue(ReadOnlySpan<char> key, [MaybeNullWhen(false)] out TValue value) => TryGetAt(TextKeys.Find(_table, key), out value);

    /// <summary>Gets the value of a UTF-8 key, if it is in the dictionary.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    [OverloadResolutionPriority(1)]
    public bool TryGetValue(ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out TValue value) => TryGetAt(TextKeys.Find(_table, key), out value);

    /// <summary>Enumerates the entries.</summary>
    public BufferedDictionaryEnumerator<BufferedList<BufferedString>, BufferedString, TValues, TValue> GetEnumerator() => new(Keys, _values);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedList<BufferedString>, BufferedString, TValues, TValue>(Keys, _values);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) =>
        verifier.Dictionary<TextKeys, TValues>(container, offset);

    static BufferedStringDictionary<TValue, TValues> IBufferedElement<BufferedStringDictionary<TValue, TValues>>.Read(BlockReader slots, int offset) =>
        new(slots.ReadPlace(offset));

    private bool TryGetAt(int index, [MaybeNullWhen(false)] out TValue value)
    {
        value = index < 0 ? default : _values[index];
        return index >= 0;
    }

    internal sealed class DebugView(BufferedStringDictionary<TValue, TValues> dictionary)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Entries<BufferedList<BufferedString>, BufferedString, TValues, TValue>(dictionary.Keys, dictionary.Values);
    }
}
