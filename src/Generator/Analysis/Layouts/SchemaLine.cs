using System.Globalization;

namespace BufferedMessages.Generator.Analysis;

/// <summary>A line of a schema text.</summary>
/// <param name="Text">The whole line.</param>
/// <param name="Ordinal">The ordinal, or the number of a case.</param>
/// <param name="Kind">The kind. For a reserved ordinal, the one in the parentheses; for a reserved case, <c>reserved</c>.</param>
/// <param name="Name">The name of the member or the case; null if it is reserved.</param>
internal sealed record SchemaLine(string Text, int Ordinal, string Kind, string? Name)
{
    private const string ReservedCase = "reserved";
    private const string ReservedPrefix = ReservedCase + "(";

    /// <summary>Gets whether this is the number of a removed case, whose type is not known.</summary>
    public bool IsReservedCase => Name is null && string.Equals(Kind, ReservedCase, StringComparison.Ordinal);

    /// <summary>Parses a line; null if it is malformed.</summary>
    public static SchemaLine? Parse(string line)
    {
        var parts = line.Split(' ');
        if (parts.Length is < 2 or > 3 || !int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out var ordinal))
        {
            return null;
        }

        if (parts.Length == 3)
        {
            return new SchemaLine(line, ordinal, parts[1], parts[2]);
        }

        if (string.Equals(parts[1], ReservedCase, StringComparison.Ordinal))
        {
            return new SchemaLine(line, ordinal, ReservedCase, Name: null);
        }

        return parts[1].StartsWith(ReservedPrefix, StringComparison.Ordinal) && parts[1].EndsWith(")", StringComparison.Ordinal)
            ? new SchemaLine(line, ordinal, parts[1].Substring(ReservedPrefix.Length, parts[1].Length - ReservedPrefix.Length - 1), Name: null)
            : null;
    }
}
