using System.Buffers;

namespace BufferedMessages.Wire;

/// <summary>Copies of the values of a dictionary, in the order of the stored keys or in that of the source.</summary>
internal static class OrderedValues
{
    public static SourceSpan<TValue> Of<TKey, TValue>(scoped ReadOnlySpan<KeyValuePair<TKey, TValue>> entries, scoped in KeyOrder order)
    {
        var values = ArrayPool<TValue>.Shared.Rent(entries.Length);
        for (var i = 0; i < entries.Length; i++)
        {
            values[i] = entries[order.SourceAt(i)].Value;
        }

        return new SourceSpan<TValue>(values, entries.Length);
    }

    public static SourceSpan<TValue> Of<TKey, TValue>(scoped ReadOnlySpan<KeyValuePair<TKey, TValue>> entries)
    {
        var values = ArrayPool<TValue>.Shared.Rent(entries.Length);
        for (var i = 0; i < entries.Length; i++)
        {
            values[i] = entries[i].Value;
        }

        return new SourceSpan<TValue>(values, entries.Length);
    }
}
