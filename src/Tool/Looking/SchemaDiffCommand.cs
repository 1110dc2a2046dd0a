using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Compares two schemas as a queue does when a program opens it.</summary>
internal static class SchemaDiffCommand
{
    public static Command Create()
    {
        var left = new Argument<string>("A") { Description = $"The first: {SchemaSource.Help}." };
        var right = new Argument<string>("B") { Description = "The second." };
        var command = new ToolCommand(
            "diff",
            "Compare two schemas. = both have the member, + only B, - only A, ~ it was renamed or removed, ! its kind differs. Ends with 1 if they cannot share a queue.",
            "schema diff /var/lib/shop/orders new.schema") { left, right };
        command.Run(call => Compare(call, SchemaSource.FindVersions(call.Value(left)), SchemaSource.FindVersions(call.Value(right))));
        return command;
    }

    private static ExitCode Compare(Call call, IReadOnlyList<MessageSchema> left, IReadOnlyList<MessageSchema> right)
    {
        var conflict = ConflictOf(left, right);
        foreach (var difference in SchemaDifference.Between(left[^1], right[^1]))
        {
            if (call.IsJson)
            {
                call.Json.Write(difference, static (json, difference) => difference.Write(json));
            }
            else
            {
                call.WriteLine(call.Palette.Paint(TerminalText.Escape(difference.ToString()), difference.Ink));
            }
        }

        if (call.IsJson)
        {
            call.Json.Write(conflict, static (json, conflict) =>
            {
                json.WriteStartObject();
                json.WriteBoolean("compatible"u8, conflict is null);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine(conflict is null ? "Compatible: programs of both can share a queue." : TerminalText.Escape($"Incompatible: {conflict}."));
        }

        return conflict is null ? ExitCode.Fine : ExitCode.Negative;
    }

    // A queue compares a program with all of its versions: the newest one need not have the members of those before it.
    private static string? ConflictOf(IReadOnlyList<MessageSchema> left, IReadOnlyList<MessageSchema> right)
    {
        try
        {
            foreach (var version in left.Reverse())
            {
                foreach (var other in right.Reverse())
                {
                    version.RequireCompatible(other);
                }
            }

            return null;
        }
        catch (SchemaMismatchException exception)
        {
            return $"'{exception.Line}' is not '{exception.OtherLine}'";
        }
    }
}
