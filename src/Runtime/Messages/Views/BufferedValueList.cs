using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A list of fixed-size values, read in place. A value is checked when it is read. Used for bool, decimal, dates and times, and for keys.
/// Valid as long as the bytes of the message are. Allocates nothing.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedValueList<>.DebugView))]
public readonly ref struct BufferedValueList<T> : IBufferedElement<BufferedValueList<T>>, IBufferedList<BufferedValueList<T>, T>
    where T : unmanaged
{
    private readonly ListPayload _list;

    internal BufferedValueList(ListPayload list) => _list = list;

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _list.IsNull;

    /// <summary>Gets the number of values; 0 if the list is null.</summary>
    public int Count => _list.Count;

    /// <summary>Gets the value at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    /// <exception cref="MalformedMessageException">The stored bits are not a value of the type.</exception>
    public T this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                Malformed.ThrowIndex();
            }

            return _list.ValueAt<T>(index);
        }
    }

    /// <summary>Enumerates the values.</summary>
    public BufferedListEnumerator<BufferedValueList<T>, T> GetEnumerator() => new(this);

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedValueList<T>, T>(this);

    int IBufferedList<BufferedValueList<T>, T>.Step => Unsafe.SizeOf<T>();

    T IBufferedList<BufferedValueList<T>, T>.AtPosition(int position) => _list.ValueAtPosition<T>(position);

    string IBufferedList<BufferedValueList<T>, T>.TextAt(int index) => this[index].ToString() ?? "null";

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.List<BufferedValueList<T>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => verifier.Values<T>(position, count);

    static BufferedValueList<T> IBufferedElement<BufferedValueList<T>>.Read(BlockReader slots, int offset) => new(slots.ReadPlace(offset).Values<T>());

    static BufferedValueList<T> IBufferedList<BufferedValueList<T>, T>.Create(ListPlace place) => new(place.Values<T>());

    internal sealed class DebugView(BufferedValueList<T> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedValueList<T>, T>(list);
    }
}
