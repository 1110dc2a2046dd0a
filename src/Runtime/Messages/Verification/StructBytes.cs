namespace BufferedMessages;

/// <summary>The division of a struct's bytes into fields and padding.</summary>
internal static class StructBytes
{
    /// <summary>The padding: pairs of offset and length, in bytes, in ascending order.</summary>
    public static ushort[] PaddingOf(SchemaStruct type)
    {
        var isUsed = UsedBytesOf(type);
        var padding = new List<ushort>();
        for (var start = 0; start < isUsed.Length; start++)
        {
            var end = start;
            while (end < isUsed.Length && !isUsed[end])
            {
                end++;
            }

            if (end > start)
            {
                padding.Add((ushort)start);
                padding.Add((ushort)(end - start));
                start = end;
            }
        }

        return [.. padding];
    }

    // Those of a struct are found once, however often it is repeated: fields that overlap cost no more than others.
    private static bool[] UsedBytesOf(SchemaStruct type)
    {
        var isUsed = new bool[type.Size];
        foreach (var field in type.Fields)
        {
            var bytes = isUsed.AsSpan(field.Offset, (int)(field.End - field.Offset));
            if (field.Kind is SchemaStruct inner)
            {
                Mark(bytes, UsedBytesOf(inner));
            }
            else
            {
                bytes.Fill(true);
            }
        }

        return isUsed;
    }

    private static void Mark(Span<bool> elements, ReadOnlySpan<bool> isUsedByElement)
    {
        for (var start = 0; start < elements.Length; start += isUsedByElement.Length)
        {
            for (var i = 0; i < isUsedByElement.Length; i++)
            {
                elements[start + i] |= isUsedByElement[i];
            }
        }
    }
}
