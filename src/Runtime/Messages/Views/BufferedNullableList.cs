using System.Diagnostics;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A list of fixed-size values that may be null, read in place.
/// Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <typeparam name="T">The type of the values, without the question mark.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedNullableList<>.DebugView))]
public readonly ref struct BufferedNullableList<T> : IBufferedElement<BufferedNullableList<T>>, IBufferedList<BufferedNullableList<T>, T?>
    where T : unmanaged
{
    private readonly ListPayload _list;

    internal BufferedNullableList(ListPayload list) => _list = list;

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _list.IsNull;

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    public int Count => _list.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    /// <exception cref="MalformedMessageException">The stored bits are not a value of the type.</exception>
    public T? this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                Malformed.ThrowIndex();
            }

            return _list.NullableAt<T>(index);
        }
    }

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedNullableList<T>, T?> GetEnumerator() => new(this);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedNullableList<T>, T?>(this);

    int IBufferedList<BufferedNullableList<T>, T?>.Step => 1;

    T? IBufferedList<BufferedNullableList<T>, T?>.AtPosition(int position) => _list.NullableAt<T>(position);

    string IBufferedList<BufferedNullableList<T>, T?>.TextAt(int index) => this[index]?.ToString() ?? "null";

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.List<BufferedNullableList<T>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => verifier.Nullables<T>(position, count);

    static BufferedNullableList<T> IBufferedElement<BufferedNullableList<T>>.Read(BlockReader slots, int offset) =>
        new(slots.ReadPlace(offset).Nullables<T>());

    static BufferedNullableList<T> IBufferedList<BufferedNullableList<T>, T?>.Create(ListPlace place) => new(place.Nullables<T>());

    internal sealed class DebugView(BufferedNullableList<T> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedNullableList<T>, T?>(list);
    }
}
