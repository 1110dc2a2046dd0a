namespace BufferedMessages.Wire;

/// <content>Dictionaries and sets.</content>
public ref partial struct ObjectReader
{
    /// <summary>Copies a dictionary, or returns null.</summary>
    /// <param name="block">The block or slot array that holds the dictionary's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public Dictionary<TKey, TValue>? ReadDictionary<TKey, TValue, TKeys, TValues>(BlockReader block, int offset)
        where TKey : notnull
        where TKeys : IKeys<TKey>
        where TValues : IListElements<TValue>
    {
        var table = DictionaryTable.Open(block.ReadPlace(offset), TKeys.ElementBytes, hasValues: true);
        if (table.IsNull)
        {
            return null;
        }

        var entries = new Dictionary<TKey, TValue>(table.Count);
        if (table.Count == 0)
        {
            return entries;
        }

        var keys = ReadKeys<TKey, TKeys>(table);
        var values = TValues.Read(ref this, table.Values);
        for (var i = 0; i < keys.Length; i++)
        {
            if (!entries.TryAdd(keys[i], values[i]))
            {
                Malformed.Throw(WireRule.EqualKeys, table.RegionBytes);
            }
        }

        return entries;
    }

    /// <summary>Copies a set, or returns null.</summary>
    /// <param name="block">The block or slot array that holds the set's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public HashSet<T>? ReadSet<T, TKeys>(BlockReader block, int offset)
        where T : notnull
        where TKeys : IKeys<T>
    {
        var table = DictionaryTable.Open(block.ReadPlace(offset), TKeys.ElementBytes, hasValues: false);
        if (table.IsNull)
        {
            return null;
        }

        var elements = new HashSet<T>(table.Count);
        if (table.Count == 0)
        {
            return elements;
        }

        foreach (var element in ReadKeys<T, TKeys>(table))
        {
            if (!elements.Add(element))
            {
                Malformed.Throw(WireRule.EqualKeys, table.RegionBytes);
            }
        }

        return elements;
    }

    // Header, starts of the buckets and the array of keys, then their bytes outside of it.
    private TKey[] ReadKeys<TKey, TKeys>(DictionaryTable table)
        where TKeys : IKeys<TKey>
    {
        Pass(table.RegionBytes, table.KeysOffset + (table.Count * TKeys.ElementBytes));
        return TKeys.Read(ref this, table);
    }
}
