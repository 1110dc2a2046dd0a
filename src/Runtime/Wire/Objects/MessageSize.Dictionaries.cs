namespace BufferedMessages.Wire;

/// <content>Dictionaries and sets.</content>
public ref partial struct MessageSize
{
    /// <summary>Adds a dictionary that may be null.</summary>
    /// <param name="source">The dictionary.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    public void AddDictionary<TKey, TValue, TKeys, TValues>(IEnumerable<KeyValuePair<TKey, TValue>>? source, int depth)
        where TKey : notnull
        where TKeys : IKeys<TKey>
        where TValues : IListElements<TValue>
    {
        if (source is null)
        {
            return;
        }

        using var entries = SourceElements.OfEntries(source);
        if (entries.Span.IsEmpty)
        {
            return;
        }

        AddTable(entries.Span.Length, TKeys.ElementBytes);
        foreach (ref readonly var entry in entries.Span)
        {
            TKeys.AddSize(entry.Key, ref this);
        }

        _end = WireFormat.Align(_end, WireFormat.WordBytes);
        using var values = TValues.AreOfOneSizeInAnyOrder ? OrderedValues.Of(entries.Span) : InStoredOrder<TKey, TValue, TKeys>(entries.Span);
        TValues.AddSize(values.Span, ref this, depth);
    }

    /// <summary>Adds a set that may be null.</summary>
    public void AddSet<T, TKeys>(IEnumerable<T>? source)
        where T : notnull
        where TKeys : IKeys<T>
    {
        if (source is null)
        {
            return;
        }

        using var elements = SourceElements.OfSequence(source);
        if (elements.Span.IsEmpty)
        {
            return;
        }

        AddTable(elements.Span.Length, TKeys.ElementBytes);
        foreach (ref readonly var element in elements.Span)
        {
            TKeys.AddSize(element, ref this);
        }
    }

    // If the payloads of values have different alignments, the gaps between them depend on the order.
    private static SourceSpan<TValue> InStoredOrder<TKey, TValue, TKeys>(ReadOnlySpan<KeyValuePair<TKey, TValue>> entries)
        where TKey : notnull
        where TKeys : IKeys<TKey>
    {
        var order = MessageWriter.KeysInOrder<TKey, TValue, TKeys>(entries);
        var values = OrderedValues.Of(entries, order);
        order.Dispose();
        return values;
    }

    // Header, starts of the buckets and the array of keys.
    private void AddTable(int count, int keyBytes) =>
        _end = WireFormat.Align(_end, WireFormat.WordBytes) + DictionaryLayout.KeysOffset((uint)count) + ((long)count * keyBytes);
}
