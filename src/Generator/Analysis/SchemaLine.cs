using System.Globalization;

namespace BufferedMessages.Generator.Analysis;

/// <summary>A line of a schema text.</summary>
/// <param name="Text">The whole line.</param>
/// <param name="Ordinal">The ordinal.</param>
/// <param name="Kind">The kind; for a reserved ordinal the one in its brackets.</param>
/// <param name="Name">The member's name; null for a reserved ordinal.</param>
internal sealed record SchemaLine(string Text, int Ordinal, string Kind, string? Name)
{
    private const string ReservedPrefix = "reserved(";

    /// <summary>Reads a line; null if it is none.</summary>
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

        return parts[1].StartsWith(ReservedPrefix, StringComparison.Ordinal) && parts[1].EndsWith(")", StringComparison.Ordinal)
            ? new SchemaLine(line, ordinal, parts[1].Substring(ReservedPrefix.Length, parts[1].Length - ReservedPrefix.Length - 1), Name: null)
            : null;
    }
}
