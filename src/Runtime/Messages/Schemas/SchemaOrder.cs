namespace BufferedMessages;

/// <summary>The order of the types in a schema text: the root first, then each type in the order of its first use. Each type is described once; other types are not described.</summary>
internal static class SchemaOrder
{
    /// <summary>Requires the order.</summary>
    /// <exception cref="FormatException">A type is missing, not used, there twice, or not in its place.</exception>
    public static void Require(IReadOnlyList<SchemaSection> sections)
    {
        var used = new List<SchemaReference> { sections[0].Type };
        var isUsed = new HashSet<SchemaReference>(used);
        for (var i = 0; i < sections.Count; i++)
        {
            if (i == used.Count)
            {
                throw sections[i].Line.Wrong("no line refers to this type, or it is described already");
            }

            if (sections[i].Type != used[i])
            {
                throw sections[i].Line.Wrong($"'{used[i].Head}' must be here, since types are in the order of their first use");
            }

            used.AddRange(sections[i].References.Where(isUsed.Add));
        }

        if (used.Count > sections.Count)
        {
            throw new FormatException($"The schema text does not describe '{used[sections.Count].TypeName}': a line '{used[sections.Count].Head}' is missing at its end.");
        }
    }
}
