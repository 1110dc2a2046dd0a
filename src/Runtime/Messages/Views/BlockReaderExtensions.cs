using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>Extensions that read the members of a block as views. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BlockReaderExtensions
{
    /// <summary>Returns a message as JSON in one line, truncated to a maximum length. Does not throw for malformed bytes, but says that they are.</summary>
    public static string ToText(this BlockReader block, MessageSchema schema) => MessageJson.ToText(new CaseReader(block), schema);

    /// <summary>Reads a string.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static BufferedString ReadString(this BlockReader block, int offset) => new(block.ReadBinary(offset));

    /// <summary>Reads a nested message; null gives a view whose <c>IsNull</c> is true.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TView ReadMessage<TView>(this BlockReader block, int offset)
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Create(block.ReadMessage(offset));

    /// <summary>Reads a union; null gives a view whose <c>IsNull</c> is true.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TView ReadUnion<TView>(this BlockReader block, int offset)
        where TView : IBufferedElement<TView>, allows ref struct
        => TView.Read(block, offset);

    /// <summary>Reads a list of fixed-size values that are checked one by one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static BufferedValueList<T> ReadValueList<T>(this BlockReader block, int offset)
        where T : unmanaged
        => new(block.ReadPlace(offset).Values<T>());

    /// <summary>Reads a list of fixed-size values that may be null.</summary>
    public static BufferedNullableList<T> ReadNullableList<T>(this BlockReader block, int offset)
        where T : unmanaged
        => new(block.ReadPlace(offset).Nullables<T>());

    /// <summary>Reads a list of strings, binaries, unions, lists, sets or dictionaries.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static BufferedList<TElement> ReadList<TElement>(this BlockReader block, int offset)
        where TElement : IBufferedElement<TElement>, allows ref struct
        => new(block.ReadPlace(offset).Slots());

    /// <summary>Reads a dictionary with keys of fixed size.</summary>
    public static BufferedDictionary<TKey, TValue, TValues> ReadDictionary<TKey, TValue, TValues>(this BlockReader block, int offset)
        where TKey : unmanaged
        where TValue : allows ref struct
        where TValues : IBufferedList<TValues, TValue>, allows ref struct
        => new(block.ReadPlace(offset));

    /// <summary>Reads a dictionary with strings as keys.</summary>
    public static BufferedStringDictionary<TValue, TValues> ReadStringDictionary<TValue, TValues>(this BlockReader block, int offset)
        where TValue : allows ref struct
        where TValues : IBufferedList<TValues, TValue>, allows ref struct
        => new(block.ReadPlace(offset));

    /// <summary>Reads a set of fixed-size values.</summary>
    public static BufferedSet<T> ReadSet<T>(this BlockReader block, int offset)
        where T : unmanaged
        => new(block.ReadPlace(offset));

    /// <summary>Reads a set of strings.</summary>
    public static BufferedStringSet ReadStringSet(this BlockReader block, int offset) => new(block.ReadPlace(offset));

    /// <summary>Reads a list of messages.</summary>
    public static BufferedMessageList<TView> ReadMessageList<TView>(this BlockReader block, int offset)
        where TView : IBufferedMessage<TView>, allows ref struct
        => new(block.ReadPlace(offset).Messages());
}
