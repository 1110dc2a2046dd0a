using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>The options that say how records are shown.</summary>
internal sealed class RecordOptions
{
    private readonly Option<bool> _explain = new("--explain") { Description = "Name every byte." };
    private readonly Option<bool> _hex = new("--hex") { Description = "Show the bytes." };
    private readonly Option<bool> _properties = new("--properties") { Description = "Show the properties of each message too." };
    private readonly Option<string?> _format = new("--format") { Description = "Show a line such as \"{Position} {Note} {Lines[].Article}\".", HelpName = "LINE" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_explain);
        command.Options.Add(_hex);
        command.Options.Add(_properties);
        command.Options.Add(_format);
    }

    /// <summary>Makes the output that a command line asks for.</summary>
    /// <exception cref="ToolException">The options contradict each other, or the line is wrong.</exception>
    public RecordOutput CreateOutput(Call call, SchemaVersions schemas)
    {
        var format = call.Value(_format);
        RecordForm[] forms =
        [
            .. call.Value(_explain) ? [RecordForm.Explain] : Array.Empty<RecordForm>(),
            .. call.Value(_hex) ? [RecordForm.Hex] : Array.Empty<RecordForm>(),
            .. format is not null ? [RecordForm.Template] : Array.Empty<RecordForm>(),
        ];
        if (forms.Length > 1 || (call.IsJson && forms.Length > 0))
        {
            throw new ToolException("Give one of --json, --explain, --hex and --format.");
        }

        return new RecordOutput(
            call, schemas, forms is [var form] ? form : RecordForm.Line, format is null ? null : RecordTemplate.Parse(format, new MemberNames(schemas.All)), call.Value(_properties));
    }
}
