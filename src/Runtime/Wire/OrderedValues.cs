namespace BufferedMessages.Wire;

/// <summary>Copies of the values of a dictionary, in the order of the stored keys or in that of the source.</summary>
internal static class OrderedValues
{
    public static PooledElements<TValue> Of<TKey, TValue>(ReadOnlySpan<KeyValuePair<TKey, TValue>> entries, in KeyOrder order)
    {
        var values = PooledElements<TValue>.OfCount(entries.Length);
        for (var i = 0; i < entries.Length; i++)
        {
            values.At(i) = entries[order.SourceAt(i)].Value;
        }

        return values;
    }

    public static PooledElements<TValue> Of<TKey, TValue>(ReadOnlySpan<KeyValuePair<TKey, TValue>> entries)
    {
        var values = PooledElements<TValue>.OfCount(entries.Length);
        for (var i = 0; i < entries.Length; i++)
        {
            values.At(i) = entries[i].Value;
        }

        return values;
    }
}
