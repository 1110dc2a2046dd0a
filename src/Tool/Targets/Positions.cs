using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>Positions in a queue on the command line: as numbers, or with the separators that the output for people has, as 158,203,136.</summary>
internal static class Positions
{
    private const string Placeholder = "POSITION";

    /// <summary>Makes an option whose value is a position; null if it is not given.</summary>
    public static Option<long?> Option(string name, string description) => new(name)
    {
        Description = description,
        HelpName = Placeholder,
        CustomParser = static result => ParseAll(result) is [var position] ? position : null,
    };

    /// <summary>Makes an option that may be given several times.</summary>
    public static Option<long[]> ListOption(string name, string description) => new(name) { Description = description, HelpName = Placeholder, CustomParser = ParseAll };

    /// <summary>Reads a position.</summary>
    public static bool TryParse(string text, out long position) => long.TryParse(text, NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out position);

    private static long[] ParseAll(ArgumentResult result)
    {
        var positions = new List<long>();
        foreach (var token in result.Tokens)
        {
            if (TryParse(token.Value, out var position))
            {
                positions.Add(position);
            }
            else
            {
                result.AddError($"'{token.Value}' is not a position. Write a number such as 158203136 or 158,203,136.");
            }
        }

        return [.. positions];
    }
}
