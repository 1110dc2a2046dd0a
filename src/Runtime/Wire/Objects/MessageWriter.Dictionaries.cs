using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <content>Dictionaries and sets.</content>
public ref partial struct MessageWriter
{
    /// <summary>Appends a dictionary and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="source">The dictionary.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    /// <exception cref="DuplicateKeyException">Two keys have the same bytes.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteDictionary<TKey, TValue, TKeys, TValues>(int container, int offset, IEnumerable<KeyValuePair<TKey, TValue>>? source, int depth)
        where TKey : notnull
        where TKeys : IKeys<TKey>
        where TValues : IListElements<TValue>
    {
        // Decided here, where the compiler of generated code knows the types.
        if (FewEntries.Of(source) is { } few)
        {
            WriteFewEntries<TKey, TValue, TKeys, TValues>(container, offset, few, depth);
        }
        else if (source is not null)
        {
            WriteManyEntries<TKey, TValue, TKeys, TValues>(container, offset, source, depth);
        }
    }

    /// <summary>Appends a set and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="source">The set.</param>
    /// <exception cref="DuplicateKeyException">Two elements have the same bytes.</exception>
    public void WriteSet<T, TKeys>(int container, int offset, IEnumerable<T>? source)
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
            WriteEmpty(container, offset);
            return;
        }

        var order = new KeyOrder(elements.Span.Length);
        foreach (ref readonly var element in elements.Span)
        {
            TKeys.Encode(SourcePlace.Of(in element), ref order);
        }

        if (order.Sort() is >= 0 and var twice)
        {
            ThrowDuplicate(elements.Span[twice]);
        }

        WriteTable<TKeys>(container, offset, ref order);
        order.Dispose();
    }

    /// <summary>Encodes the keys of a dictionary and puts them in order.</summary>
    internal static KeyOrder KeysInOrder<TKey, TValue, TKeys>(ReadOnlySpan<KeyValuePair<TKey, TValue>> entries)
        where TKey : notnull
        where TKeys : IKeys
    {
        var order = new KeyOrder(entries.Length);
        foreach (ref readonly var entry in entries)
        {
            var key = entry.Key;
            TKeys.Encode(SourcePlace.Of(in key), ref order);
        }

        if (order.Sort() is >= 0 and var twice)
        {
            ThrowDuplicate(entries[twice].Key);
        }

        return order;
    }

    /// <summary>Writes a key of fixed size to claimed bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void WriteKey<T>(int position, T key)
        where T : unmanaged
    {
        Debug.Assert(position + Unsafe.SizeOf<T>() <= _end, "The bytes are claimed.");
        WireValue.Write(ref Unsafe.Add(ref _start, position), key);
    }

    /// <summary>Appends the keys of fixed size in their order.</summary>
    internal void AppendKeys<T>(ref KeyOrder order)
        where T : unmanaged
    {
        var position = Claim((long)order.Count * Unsafe.SizeOf<T>(), alignment: 1);
        for (var i = 0; i < order.Count; i++)
        {
            // The bytes of a key are a value of its size, as in a block.
            Unsafe.WriteUnaligned(
                ref Unsafe.Add(ref _start, position + (i * Unsafe.SizeOf<T>())),
                Unsafe.ReadUnaligned<T>(ref MemoryMarshal.GetReference(order.BytesAt(i))));
        }
    }

    [SkipLocalsInit]
    private void WriteFewEntries<TKey, TValue, TKeys, TValues>(int container, int offset, Dictionary<TKey, TValue> source, int depth)
        where TKey : notnull
        where TKeys : IKeys
        where TValues : IListElements
    {
        if (source.Count == 0)
        {
            WriteEmpty(container, offset);
            return;
        }

        var keys = default(FewElements<TKey>);
        var values = default(FewElements<TValue>);
        var count = FewEntries.PutInOrder<TKey, TValue, TKeys>(source, ref keys, ref values);
        var table = ClaimBlock(WireFormat.DictionaryHeaderBytes + ((long)count * TKeys.ElementBytes));
        WriteSlot(container, offset, table, count);
        TKeys.Write(SourcePlaces.Of(FewEntries.First(in keys, count)), ref this, table + WireFormat.DictionaryHeaderBytes);
        WriteEntryValues<TValues>(table, SourcePlaces.Of(FewEntries.First(in values, count)), depth);
    }

    private void WriteManyEntries<TKey, TValue, TKeys, TValues>(int container, int offset, IEnumerable<KeyValuePair<TKey, TValue>> source, int depth)
        where TKey : notnull
        where TKeys : IKeys
        where TValues : IListElements
    {
        using var entries = SourceElements.OfEntries(source);
        if (entries.Span.IsEmpty)
        {
            WriteEmpty(container, offset);
            return;
        }

        var order = KeysInOrder<TKey, TValue, TKeys>(entries.Span);
        using var values = OrderedValues.Of(entries.Span, order);
        WriteEntries<TKeys, TValues>(container, offset, ref order, SourcePlaces.Of(values.Span), depth);
    }

    // The order is given back before the values are written, because they may hold dictionaries too.
    private void WriteEntries<TKeys, TValues>(int container, int offset, scoped ref KeyOrder order, scoped SourcePlaces values, int depth)
        where TKeys : IKeys
        where TValues : IListElements
    {
        var table = WriteTable<TKeys>(container, offset, ref order);
        order.Dispose();
        WriteEntryValues<TValues>(table, values, depth);
    }

    // Inlined, so that the values' method is looked up once for each dictionary, with the rest.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteEntryValues<TValues>(int table, scoped SourcePlaces values, int depth)
        where TValues : IListElements
    {
        Claim(0, WireFormat.WordBytes);
        var position = TValues.Append(values, ref this, depth);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _start, table), position - table);
    }

    [DoesNotReturn]
    private static void ThrowDuplicate<TKey>(TKey key) => throw new DuplicateKeyException(key);

    // Header, starts of the buckets and keys.
    private int WriteTable<TKeys>(int container, int offset, scoped ref KeyOrder order)
        where TKeys : IKeys
    {
        var table = ClaimBlock(DictionaryLayout.KeysOffset((uint)order.Count));
        var starts = MemoryMarshal.AsBytes(order.Starts);
        starts.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, table + WireFormat.DictionaryHeaderBytes), starts.Length));
        TKeys.Append(ref order, ref this);
        WriteSlot(container, offset, table, order.Count);
        return table;
    }
}
