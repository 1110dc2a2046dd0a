using System.Globalization;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A hex listing of a message that names its bytes.</summary>
internal static class MessageExplanation
{
    private const int LineBytes = 8;

    /// <summary>Lists a message.</summary>
    public static string Of(ReadOnlySpan<byte> message, SchemaDocument schema)
    {
        using var visitor = new ExplainingVisitor();
        var failure = Walk(ref message, schema, visitor);
        var text = new StringBuilder();
        var at = 0;
        foreach (var part in visitor.Parts.OrderBy(static part => part.Position))
        {
            AppendRest(text, message, at, part.Position, isExplained: true);
            Append(text, message.Slice(part.Position, part.Bytes), part.Position, part.Text);
            at = part.Position + part.Bytes;
        }

        AppendRest(text, message, at, message.Length, isExplained: failure is null);
        return failure is null ? text.ToString() : text.Append(failure).Append('\n').ToString();
    }

    // Gives the fault, or null.
    private static string? Walk(ref ReadOnlySpan<byte> message, SchemaDocument schema, ExplainingVisitor visitor)
    {
        if (BlockReader.Open(message, out var root) is { } rule)
        {
            return $"This is not a message: {rule}.";
        }

        message = message[..(root.RegionBytes + WireFormat.HeaderBytes)];
        visitor.Header(root.BlockBytes, message.Length, schema.Root.TypeName);
        try
        {
            SchemaWalker.WalkRoot(message, root.BlockBytes, schema, visitor);
            return null;
        }
        catch (MalformedMessageException exception)
        {
            return $"It no longer makes sense at {visitor.Path}: {exception.Rule}. The list for that member, and the bytes without a name, may be wrong.";
        }
    }

    private static void AppendRest(StringBuilder text, ReadOnlySpan<byte> message, int start, int end, bool isExplained)
    {
        if (start < end)
        {
            var rest = message[start..end];
            var name = rest.ContainsAnyExcept((byte)0) ? "belongs to no member that the schema has" : "padding";
            Append(text, rest, start, isExplained ? name : "not reached");
        }
    }

    private static void Append(StringBuilder text, ReadOnlySpan<byte> bytes, int position, string name)
    {
        for (var i = 0; i < bytes.Length; i += LineBytes)
        {
            var line = bytes.Slice(i, Math.Min(LineBytes, bytes.Length - i));
            text.Append(CultureInfo.InvariantCulture, $"{position + i,6}  ");
            foreach (var value in line)
            {
                text.Append(CultureInfo.InvariantCulture, $"{value:x2} ");
            }

            if (i == 0)
            {
                text.Append(' ', (LineBytes - line.Length) * 3).Append(' ').Append(name);
            }
            else
            {
                text.Length--;
            }

            text.Append('\n');
        }
    }
}
