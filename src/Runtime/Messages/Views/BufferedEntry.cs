namespace BufferedMessages;

/// <summary>An entry of a dictionary, read in place. Valid as long as the bytes of the message are.</summary>
/// <typeparam name="TKey">The view of the key.</typeparam>
/// <typeparam name="TValue">The view of the value.</typeparam>
public readonly ref struct BufferedEntry<TKey, TValue>
    where TKey : allows ref struct
    where TValue : allows ref struct
{
    internal BufferedEntry(TKey key, TValue value)
    {
        Key = key;
        Value = value;
    }

    /// <summary>Gets the key.</summary>
    public TKey Key { get; }

    /// <summary>Gets the value.</summary>
    public TValue Value { get; }

    /// <summary>Gets the key and the value, for example in <c>foreach (var (key, value) in dictionary)</c>.</summary>
    public void Deconstruct(out TKey key, out TValue value)
    {
        key = Key;
        value = Value;
    }
}
