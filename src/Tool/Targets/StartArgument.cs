using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>A place in a queue on the command line: <c>earliest</c>, <c>latest</c>, a position, or a time.</summary>
/// <param name="Text">As the user wrote it.</param>
/// <param name="Start">The place.</param>
/// <param name="Position">The position, if it is one.</param>
internal sealed record StartArgument(string Text, QueueStart Start, long? Position)
{
    /// <summary>The explanation of such an argument, for the help.</summary>
    public const string Help = "earliest, latest, a position, or a time such as 2026-11-23T04:05Z, 04:05 or -10m";

    private const string Earliest = "earliest";
    private const string Latest = "latest";

    /// <summary>Makes an option whose value is a place.</summary>
    public static Option<StartArgument?> Option(string name, string description)
    {
        var option = new Option<StartArgument?>(name) { Description = $"{description}: {Help}.", HelpName = "PLACE", CustomParser = static result => Parse(result) };
        option.CompletionSources.Add(Earliest, Latest);
        return option;
    }

    /// <summary>Reads a place.</summary>
    /// <param name="text">The text. A negative span is counted from now; one that is longer than the calendar means the beginning of the calendar.</param>
    /// <returns>Null if it is not a place.</returns>
    public static StartArgument? Parse(string text)
    {
        if (text is Earliest)
        {
            return new StartArgument(text, QueueStart.Earliest, Position: null);
        }

        if (text is Latest)
        {
            return new StartArgument(text, QueueStart.Latest, Position: null);
        }

        if (Positions.TryParse(text, out var position))
        {
            return new StartArgument(text, QueueStart.At(position), position);
        }

        if (text is ['-', .. var span] && Durations.TryParse(span, out var ago))
        {
            var now = DateTimeOffset.UtcNow;
            var time = ago < now - DateTimeOffset.MinValue ? now - ago : DateTimeOffset.MinValue;
            return new StartArgument(text, QueueStart.At(time), Position: null);
        }

        return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var moment)
            ? new StartArgument(text, QueueStart.At(moment), Position: null)
            : null;
    }

    /// <summary>Says that a text is not a place.</summary>
    public static string Refusal(string text) => $"'{text}' is not a place in a queue. Write {Help}.";

    private static StartArgument? Parse(ArgumentResult result)
    {
        var text = result.Tokens is [var token] ? token.Value : "";
        var start = Parse(text);
        if (start is null)
        {
            result.AddError(Refusal(text));
        }

        return start;
    }
}
