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
        command.Run(call => Compare(call, SchemaSource.FindNewest(call.Value(left)), SchemaSource.FindNewest(call.Value(right))));
        return command;
    }

    private static ExitCode Compare(Call call, MessageSchema left, MessageSchema right)
    {
        string? conflict = null;
        try
        {
            left.RequireCompatible(right);
        }
        catch (SchemaMismatchException exception)
        {
            conflict = $"'{exception.Line}' is not '{exception.OtherLine}'";
        }

        foreach (var difference in SchemaDifference.Between(left, right))
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
}
