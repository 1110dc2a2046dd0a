using System.Diagnostics;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A list of fixed-size values inside of another list or a dictionary, read in place. Valid as long as the bytes of the message are.</summary>
/// <typeparam name="T">A type for which every bit pattern is a valid value.</typeparam>
[DebuggerDisplay(ListText.Display)]
[DebuggerTypeProxy(typeof(BufferedSpan<>.DebugView))]
public readonly ref struct BufferedSpan<T> : IBufferedElement<BufferedSpan<T>>, IBufferedList<BufferedSpan<T>, T>
    where T : unmanaged
{
    internal BufferedSpan(ReadOnlySpan<T> span) => Span = span;

    /// <summary>Gets the values; empty if the list is null.</summary>
    public ReadOnlySpan<T> Span { get; }

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => Span.IsNull;

    /// <summary>Gets the number of values.</summary>
    public int Count => Span.Length;

    /// <summary>Gets the value at an index.</summary>
    /// <exception cref="IndexOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    public T this[int index] => Span[index];

    /// <summary>Converts to the values; empty if the list is null.</summary>
    public static implicit operator ReadOnlySpan<T>(BufferedSpan<T> value) => value.Span;

    /// <summary>Enumerates the values.</summary>
    public ReadOnlySpan<T>.Enumerator GetEnumerator() => Span.GetEnumerator();

    /// <summary>Returns the elements in one line, truncated to 1000 characters. Allocates.</summary>
    public override string ToString() => ListText.Line<BufferedSpan<T>, T>(this);

    int IBufferedList<BufferedSpan<T>, T>.Step => 1;

    T IBufferedList<BufferedSpan<T>, T>.AtPosition(int position) => Span[position];

    string IBufferedList<BufferedSpan<T>, T>.TextAt(int index) => this[index].ToString() ?? "null";

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.List<BufferedSpan<T>>(container, offset);

    static bool IVerifiedElements.Verify(ref MessageVerifier verifier, ulong position, uint count) => verifier.Values<T>(position, count);

    static BufferedSpan<T> IBufferedElement<BufferedSpan<T>>.Read(BlockReader slots, int offset) => new(slots.ReadSpan<T>(offset));

    static BufferedSpan<T> IBufferedList<BufferedSpan<T>, T>.Create(ListPlace place) => new(place.Span<T>());

    internal sealed class DebugView(BufferedSpan<T> list)
    {
        [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
        public string[] Items { get; } = ListText.Items<BufferedSpan<T>, T>(list);
    }
}
