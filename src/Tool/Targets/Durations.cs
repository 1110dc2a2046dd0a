using System.CommandLine;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>Spans of time on the command line: <c>500ms</c>, <c>1s</c>, <c>10m</c>, <c>2h</c>, <c>7d</c>.</summary>
internal static class Durations
{
    /// <summary>The span of options that are not given.</summary>
    public static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    // The longest time that a timer waits, rounded down.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    private static readonly (string Unit, TimeSpan Length)[] Units =
    [
        ("ms", TimeSpan.FromMilliseconds(1)),
        ("s", TimeSpan.FromSeconds(1)),
        ("m", TimeSpan.FromMinutes(1)),
        ("h", TimeSpan.FromHours(1)),
        ("d", TimeSpan.FromDays(1)),
    ];

    /// <summary>Makes an option whose value is a span of time; null if it is not given. The help would show a default in a form that the option does not take.</summary>
    public static Option<TimeSpan?> Option(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "SPAN",
        CustomParser = result =>
        {
            var text = result.Tokens is [var token] ? token.Value : "";
            if (!TryParse(text, out var span) || span <= TimeSpan.Zero || span > Longest)
            {
                result.AddError($"'{text}' is not a time span of up to {Longest.TotalDays} days. Write a number with ms, s, m, h or d.");
            }

            return span;
        },
    };

    /// <summary>Reads a span of time.</summary>
    public static bool TryParse(string text, out TimeSpan span)
    {
        foreach (var (unit, length) in Units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal)
                && double.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                && number * length.TotalDays < TimeSpan.MaxValue.TotalDays)
            {
                span = number * length;
                return true;
            }
        }

        span = default;
        return false;
    }
}
