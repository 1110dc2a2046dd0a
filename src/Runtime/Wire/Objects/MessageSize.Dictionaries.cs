using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>Dictionaries and sets.</content>
public ref partial struct MessageSize
{
    /// <summary>Adds a dictionary that may be null.</summary>
    /// <param name="source">The dictionary.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddDictionary<TKey, TValue, TKeys, TValues>(IEnumerable<KeyValuePair<TKey, TValue>>? source, int depth)
        where TKey : notnull
        where TKeys : IKeys<TKey>
        where TValues : IListElements<TValue>
    {
        // Decided here, where the compiler of generated code knows the types.
        if (FewEntries.Of(source) is { } few)
        {
            AddFewEntries<TKey, TValue, TKeys, TValues>(few, depth);
        }
        else if (source is not null)
        {
            AddManyEntries<TKey, TValue, TKeys, TValues>(source, depth);
        }
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
            TKeys.AddSize(SourcePlace.Of(in element), ref this);
        }
    }

    private void AddFewEntries<TKey, TValue, TKeys, TValues>(Dictionary<TKey, TValue> source, int depth)
        where TKey : notnull
        where TKeys : IKeys
        where TValues : IListElements
    {
        if (source.Count == 0)
        {
            return;
        }

        var values = default(FewElements<TValue>);
        AddTable(source.Count, TKeys.ElementBytes);
        var count = 0;
        foreach (var (key, value) in source)
        {
            TKeys.AddSize(SourcePlace.Of(in key), ref this);
            FewEntries.Place(ref values, count++, value);
        }

        Align(WireFormat.WordBytes);
        var before = this;
        TValues.AddSize(SourcePlaces.Of(FewEntries.First(in values, count)), ref this, depth);
        if (IsOfOneSizeInAnyOrderSince(before))
        {
            return;
        }

        this = before;
        var keys = default(FewElements<TKey>);
        var ordered = default(FewElements<TValue>);
        count = FewEntries.PutInOrder<TKey, TValue, TKeys>(source, ref keys, ref ordered);
        TValues.AddSize(SourcePlaces.Of(FewEntries.First(in ordered, count)), ref this, depth);
    }

    private void AddManyEntries<TKey, TValue, TKeys, TValues>(IEnumerable<KeyValuePair<TKey, TValue>> source, int depth)
        where TKey : notnull
        where TKeys : IKeys
        where TValues : IListElements
    {
        using var entries = SourceElements.OfEntries(source);
        if (entries.Span.IsEmpty)
        {
            return;
        }

        AddTable(entries.Span.Length, TKeys.ElementBytes);
        foreach (ref readonly var entry in entries.Span)
        {
            var key = entry.Key;
            TKeys.AddSize(SourcePlace.Of(in key), ref this);
        }

        Align(WireFormat.WordBytes);
        var before = this;
        using var values = OrderedValues.Of(entries.Span);
        TValues.AddSize(SourcePlaces.Of(values.Span), ref this, depth);
        if (IsOfOneSizeInAnyOrderSince(before))
        {
            return;
        }

        this = before;
        var order = MessageWriter.KeysInOrder<TKey, TValue, TKeys>(entries.Span);
        using var ordered = OrderedValues.Of(entries.Span, order);
        order.Dispose();
        TValues.AddSize(SourcePlaces.Of(ordered.Span), ref this, depth);
    }

    // The first alignment is that of the array of values. If none came after it, no gap depends on the order.
    private readonly bool IsOfOneSizeInAnyOrderSince(scoped in MessageSize before) => _alignments - before._alignments <= 1;

    // Header, starts of the buckets and the array of keys.
    private void AddTable(int count, int keyBytes)
    {
        Align(WireFormat.WordBytes);
        _end += DictionaryLayout.KeysOffset((uint)count) + ((long)count * keyBytes);
    }
}
