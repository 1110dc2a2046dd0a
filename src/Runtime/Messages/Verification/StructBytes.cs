namespace BufferedMessages;

/// <summary>The division of a struct's bytes into fields and padding.</summary>
internal static class StructBytes
{
    /// <summary>The padding: pairs of offset and length, in bytes, in ascending order.</summary>
    public static ushort[] PaddingOf(SchemaStruct type)
    {
        var isUsed = new bool[type.Size];
        Mark(type, isUsed);
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

    private static void Mark(SchemaStruct type, Span<bool> isUsed)
    {
        foreach (var field in type.Fields)
        {
            for (var i = 0; i < field.Length.GetValueOrDefault(1); i++)
            {
                var element = isUsed.Slice(field.Offset + (i * field.Kind.Size), field.Kind.Size);
                if (field.Kind is SchemaStruct inner)
                {
                    Mark(inner, element);
                }
                else
                {
                    element.Fill(true);
                }
            }
        }
    }
}
