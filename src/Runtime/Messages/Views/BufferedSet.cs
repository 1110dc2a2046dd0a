using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A set of fixed-size values, read and looked up in place. Valid as long as the bytes of the message are. Allocates nothing.</summary>
/// <remarks>The elements are in the order of the wire format, not in that of the source.</remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedSet<>.DebugView))]
public readonly ref struct BufferedSet<T> : IBufferedElement<BufferedSet<T>>
    where T : unmanaged
{
    private readonly DictionaryTable _table;

    internal BufferedSet(ListPlace place) => _table = DictionaryTable.Open(place, Unsafe.SizeOf<T>(), hasValues: false);

    /// <summary>Gets whether the set is null.</summary>
    public bool IsNull => _table.IsNull;

    /// <summary>Gets the number of elements; 0 if the set is null.</summary>
    public int Count => _table.Count;

    private BufferedValueList<T> Elements => new(_table.Keys.Values<T>());

    /// <summary>Checks whether a value is in the set.</summary>
    /// <exception cref="MalformedMessageException">The bytes break a rule of the wire format.</exception>
    public bool Contains(T value) => ValueKeys<T>.Find(_table, value) >= 0;

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedValueList<T>, T> GetEnumerator() => Elements.GetEnumerator();

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedValueList<T>, T>(Elements);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Set<ValueKeys<T>>(container, offset);

    static BufferedSet<T> IBufferedElement<BufferedSet<T>>.Read(BlockReader slots, int offset) => new(slots.ReadPlace(offset));

    internal sealed class DebugView(BufferedSet<T> set)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedValueList<T>, T>(set.Elements);
    }
}
