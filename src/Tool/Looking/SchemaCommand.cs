using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>Shows and compares schemas.</summary>
internal static class SchemaCommand
{
    public static Command Create()
    {
        var source = new Argument<string>("SOURCE") { Description = $"The source: {SchemaSource.Help}." };
        var version = new Option<int?>("--version") { Description = "Write only the text of this version, 1 being the oldest. It is the text that --schema of other commands takes.", HelpName = "N", CustomParser = ParseVersion };
        var command = new ToolCommand("schema", "Show the versions of the stored schema, or compare two.", "schema /var/lib/shop/orders", "schema /var/lib/shop/orders --version 1 > order.schema") { source, version };
        command.Run(call => Show(call, call.Value(source), call.Value(version)));
        command.Subcommands.Add(SchemaDiffCommand.Create());
        return command;
    }

    private static int? ParseVersion(ArgumentResult result)
    {
        var text = result.Tokens is [var token] ? token.Value : "";
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var version))
        {
            result.AddError($"'{text}' is not a version. Write a number, 1 being the oldest.");
        }

        return version;
    }

    private static ExitCode Show(Call call, string source, int? version)
    {
        var versions = SchemaSource.Find(source);
        if (versions.Count == 0)
        {
            throw SchemaSource.Missing(source, ExitCode.Negative);
        }

        if (version is { } asked && (asked < 1 || asked > versions.Count))
        {
            throw new ToolException($"'{source}' has the versions 1 to {versions.Count}, and no version {asked}.");
        }

        for (var i = version ?? 1; i <= (version ?? versions.Count); i++)
        {
            Write(call, versions[i - 1], i, versions.Count, isAlone: version is not null);
        }

        return ExitCode.Fine;
    }

    private static void Write(Call call, MessageSchema schema, int number, int count, bool isAlone)
    {
        if (call.IsJson)
        {
            call.Json.Write((schema, number), static (json, version) =>
            {
                json.WriteStartObject();
                json.WriteNumber("version"u8, version.number);
                json.WriteString("name"u8, version.schema.Name);
                json.WriteString("fingerprint"u8, version.schema.Fingerprint.ToString("x16", CultureInfo.InvariantCulture));
                json.WriteString("text"u8, version.schema.Text);
                json.WriteEndObject();
            });
            return;
        }

        if (!isAlone)
        {
            call.WriteLine(call.Palette.Paint($"version {number} of {count}, fingerprint {schema.Fingerprint:x16}", Ink.Heading));
        }

        call.Out.Write(TerminalText.EscapeLines(schema.Text));
        if (!isAlone && number < count)
        {
            call.WriteLine("");
        }
    }
}
