namespace BufferedMessages.Tool;

/// <summary>The names of members and cases that the schemas of a queue have, so that a mistyped one is found before a message is read.</summary>
internal sealed class MemberNames
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal) { "$type" };

    /// <param name="schemas">The versions of the schema.</param>
    public MemberNames(IEnumerable<MessageSchema> schemas)
    {
        // A line of a member or a case is "number kind name". Heads of types, reserved ones and notes are not.
        foreach (var line in schemas.SelectMany(static schema => schema.Text.Split('\n')))
        {
            if (line.Split(' ') is [[>= '0' and <= '9', ..], _, var name])
            {
                _names.Add(name);
            }
        }
    }

    /// <summary>Gets whether a member, anywhere in the messages, has this name.</summary>
    public bool Contains(string name) => _names.Contains(name);

    /// <summary>Says that a name is not one of a member.</summary>
    public ToolException Missing(string text, int position, string name) =>
        ExpressionFault.At(text, position, Nearby.MissingName($"No member is called '{name}'.", name, [.. _names.Where(static known => known != "$type").Order(StringComparer.Ordinal)]).Message);
}
