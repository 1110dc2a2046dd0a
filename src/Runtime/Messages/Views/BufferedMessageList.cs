using System.Diagnostics;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A list of messages, read in place. Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <typeparam name="TView">The view of an element; <c>IsNull</c> is true in that of a null element.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedMessageList<>.DebugView))]
public readonly ref struct BufferedMessageList<TView> : IBufferedElement<BufferedMessageList<TView>>, IBufferedList<BufferedMessageList<TView>, TView>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly MessageBlocks _blocks;

    internal BufferedMessageList(MessageBlocks blocks) => _blocks = blocks;

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _blocks.IsNull;

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    public int Count => _blocks.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    public TView this[int index]
    {
        get
        {
            if ((uint)index >= (uint)_blocks.Count)
            {
                Malformed.ThrowIndex();
            }

            return TView.Create(_blocks.At(index));
        }
    }

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedMessageList<TView>, TView> GetEnumerator() => new(this);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedMessageList<TView>, TView>(this);

    int IBufferedList<BufferedMessageList<TView>, TView>.Step => _blocks.BlockBytes;

    TView IBufferedList<BufferedMessageList<TView>, TView>.AtPosition(int position) => TView.Create(_blocks.AtPosition(position));

    string IBufferedList<BufferedMessageList<TView>, TView>.TextAt(int index) => this[index].ToString() ?? "null";

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.List<BufferedMessageList<TView>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => verifier.Messages<TView>(position, count);

    static BufferedMessageList<TView> IBufferedElement<BufferedMessageList<TView>>.Read(BlockReader slots, int offset) =>
        new(slots.ReadPlace(offset).Messages());

    static BufferedMessageList<TView> IBufferedList<BufferedMessageList<TView>, TView>.Create(ListPlace place) => new(place.Messages());

    internal sealed class DebugView(BufferedMessageList<TView> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedMessageList<TView>, TView>(list);
    }
}
