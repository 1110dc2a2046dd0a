using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A set of strings, read in place. Lookup by UTF-8 bytes or by characters is ordinal, whichever comparer the source has.
/// Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <remarks>The elements are in the order of the wire format, not in that of the source.</remarks>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedStringSet.DebugView))]
public readonly ref struct BufferedStringSet : IBufferedElement<BufferedStringSet>
{
    private readonly DictionaryTable _table;

    internal BufferedStringSet(ListPlace place) => _table = DictionaryTable.Open(place, WireFormat.SlotBytes, hasValues: false);

    /// <summary>Gets whether the set is null.</summary>
    public bool IsNull => _table.IsNull;

    /// <summary>Gets the number of elements; 0 if the set is null.</summary>
    public int Count => _table.Count;

    private BufferedList<BufferedString> Elements => new(_table.Keys.Slots());

    /// <summary>Checks whether a string is in the set.</summary>
    /// <exception cref="ArgumentNullException">The string is null.</exception>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool Contains(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return TextKeys.Find(_table, value.AsSpan()) >= 0;
    }

    /// <summary>Checks whether a string is in the set.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool Contains(ReadOnlySpan<char> value) => TextKeys.Find(_table, value) >= 0;

    /// <summary>Checks whether a UTF-8 string is in the set.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    [OverloadResolutionPriority(1)]
    public bool Contains(ReadOnlySpan<byte> value) => TextKeys.Find(_table, value) >= 0;

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedList<BufferedString>, BufferedString> GetEnumerator() => Elements.GetEnumerator();

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedList<BufferedString>, BufferedString>(Elements);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Set<TextKeys>(container, offset);

    static BufferedStringSet IBufferedElement<BufferedStringSet>.Read(BlockReader slots, int offset) => new(slots.ReadPlace(offset));

    internal sealed class DebugView(BufferedStringSet set)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedList<BufferedString>, BufferedString>(set.Elements);
    }
}
