using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>How the keys of a dictionary, or the elements of a set, are stored. For generated code.</summary>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IKeys<TKey>
{
    /// <summary>Bytes of one key in the array of keys: the value, or a slot.</summary>
    static abstract int ElementBytes { get; }

    /// <summary>Adds what one key takes outside of the array of keys.</summary>
    static abstract void AddSize(TKey key, ref MessageSize size);

    /// <summary>Adds the bytes of one key, by which it is hashed and compared.</summary>
    static abstract void Encode(TKey key, ref KeyOrder order);

    /// <summary>Appends the array of keys in their order, and what lies outside of it.</summary>
    static abstract void Append(ref KeyOrder order, ref MessageWriter writer);

    /// <summary>Copies the keys.</summary>
    static abstract TKey[] Read(ref ObjectReader reader, DictionaryTable table);
}
