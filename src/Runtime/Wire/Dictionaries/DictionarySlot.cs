using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A dictionary in a slot. For generated code.</summary>
/// <typeparam name="TDictionary">The C# type of the dictionary.</typeparam>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
/// <typeparam name="TValue">The C# type of a value.</typeparam>
/// <typeparam name="TShape">Creates the dictionary from the copied entries.</typeparam>
/// <typeparam name="TKeys">How the keys are stored.</typeparam>
/// <typeparam name="TValues">How the values are stored.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DictionarySlot<TDictionary, TKey, TValue, TShape, TKeys, TValues> : ISlot<TDictionary?>
    where TDictionary : class, IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
    where TShape : IDictionaryShape<TDictionary, TKey, TValue>
    where TKeys : IKeys<TKey>
    where TValues : IListElements<TValue>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth) =>
        size.AddDictionary<TKey, TValue, TKeys, TValues>(value.Get<TDictionary?>(), depth);

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteDictionary<TKey, TValue, TKeys, TValues>(container, offset, value.Get<TDictionary?>(), depth);

    /// <inheritdoc/>
    public static TDictionary? Read(ref ObjectReader reader, BlockReader block, int offset) =>
        TShape.Make(reader.ReadDictionary<TKey, TValue, TKeys, TValues>(block, offset));
}
