using System.Diagnostics;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A list of values of a type with a converter, read in place. A value is converted when it is read. Valid as long as the bytes of the message are.
/// Allocates only if the converter does.
/// </summary>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <typeparam name="TView">The view of a stored value.</typeparam>
/// <typeparam name="TList">The view of the list of stored values.</typeparam>
/// <typeparam name="TConverter">The generated code that calls the converter.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedConvertedList<,,,>.DebugView))]
public readonly ref struct BufferedConvertedList<T, TView, TList, TConverter>
    : IBufferedElement<BufferedConvertedList<T, TView, TList, TConverter>>, IBufferedList<BufferedConvertedList<T, TView, TList, TConverter>, T>
    where TView : allows ref struct
    where TList : IBufferedList<TList, TView>, allows ref struct
    where TConverter : IViewConverter<T, TView>
{
    private readonly TList _list;
    private readonly int _regionBytes;

    internal BufferedConvertedList(ListPlace place)
    {
        _list = TList.Create(place);
        _regionBytes = place.RegionBytes;
    }

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => _list.IsNull;

    /// <summary>Gets the number of elements; 0 if the list is null.</summary>
    public int Count => _list.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    /// <exception cref="MalformedMessageException">The stored value breaks a rule of the wire format, or the converter refuses it.</exception>
    public T this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                Malformed.ThrowIndex();
            }

            return Conversion.OfView<T, TView, TConverter>(_list[index], _regionBytes, index);
        }
    }

    /// <summary>Enumerates the elements.</summary>
    public BufferedListEnumerator<BufferedConvertedList<T, TView, TList, TConverter>, T> GetEnumerator() => new(this);

    /// <summary>Returns the stored values in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedConvertedList<T, TView, TList, TConverter>, T>(this);

    int IBufferedList<BufferedConvertedList<T, TView, TList, TConverter>, T>.Step => _list.Step;

    T IBufferedList<BufferedConvertedList<T, TView, TList, TConverter>, T>.AtPosition(int position) =>
        Conversion.OfView<T, TView, TConverter>(_list.AtPosition(position), _regionBytes, position / _list.Step);

    string IBufferedList<BufferedConvertedList<T, TView, TList, TConverter>, T>.TextAt(int index) => _list.TextAt(index);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) =>
        verifier.List<BufferedConvertedList<T, TView, TList, TConverter>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => TList.Verify(ref verifier, position, count);

    static BufferedConvertedList<T, TView, TList, TConverter> IBufferedElement<BufferedConvertedList<T, TView, TList, TConverter>>.Read(BlockReader slots, int offset) =>
        new(slots.ReadPlace(offset));

    static BufferedConvertedList<T, TView, TList, TConverter> IBufferedList<BufferedConvertedList<T, TView, TList, TConverter>, T>.Create(ListPlace place) => new(place);

    internal sealed class DebugView(BufferedConvertedList<T, TView, TList, TConverter> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedConvertedList<T, TView, TList, TConverter>, T>(list);
    }
}
