using System.Diagnostics;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A list of strings, binaries, unions, lists, sets or dictionaries, read in place. Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <typeparam name="TElement">The view of an element.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedList<>.DebugView))]
public readonly ref struct BufferedList<TElement> : IBufferedElement<BufferedList<TElement>>, IBufferedList<BufferedList<TElement>, TElement>
    where TElement : IBufferedElement<TElement>, allows ref struct
{
    private readonly BlockReader _slots;

    internal BufferedList(BlockReader slots) => _slots = slots;

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _slots.IsNull;

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    public int Count => (int)((uint)_slots.BlockBytes / WireFormat.SlotBytes);

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    /// <exception cref="MalformedMessageException">The element points outside of the message.</exception>
    public TElement this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                Malformed.ThrowIndex();
            }

            return TElement.ReadElement(_slots, index * WireFormat.SlotBytes);
        }
    }

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedList<TElement>, TElement> GetEnumerator() => new(this);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedList<TElement>, TElement>(this);

    int IBufferedList<BufferedList<TElement>, TElement>.Step => WireFormat.SlotBytes;

    TElement IBufferedList<BufferedList<TElement>, TElement>.AtPosition(int position) => TElement.ReadElement(_slots, position);

    string IBufferedList<BufferedList<TElement>, TElement>.TextAt(int index) => this[index].ToString() ?? "null";

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.List<BufferedList<TElement>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => verifier.Slots<TElement>(position, count);

    static BufferedList<TElement> IBufferedElement<BufferedList<TElement>>.Read(BlockReader slots, int offset) => new(slots.ReadPlace(offset).Slots());

    static BufferedList<TElement> IBufferedList<BufferedList<TElement>, TElement>.Create(ListPlace place) => new(place.Slots());

    internal sealed class DebugView(BufferedList<TElement> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedList<TElement>, TElement>(list);
    }
}
