using System.CommandLine;
using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>The speed of a replay: a multiple of that at which the messages were published, or without a wait.</summary>
/// <param name="Factor">The multiple; null for no wait.</param>
internal sealed record ReplaySpeed(double? Factor)
{
    private const string Max = "max";

    /// <summary>Makes the option.</summary>
    public static Option<ReplaySpeed> Option()
    {
        var option = new Option<ReplaySpeed>("--speed")
        {
            Description = "max publishes without waiting; 1x keeps the intervals between the messages, 10x makes them ten times shorter, 0.5x twice as long.",
            HelpName = "SPEED",
            DefaultValueFactory = static _ => new ReplaySpeed(Factor: null),
            CustomParser = static result =>
            {
                var text = result.Tokens is [var token] ? token.Value : "";
                if (Parse(text) is not { } speed)
                {
                    result.AddError($"'{text}' is not a speed. Write max, or a number and x.");
                    return null!;
                }

                return speed;
            },
        };
        option.CompletionSources.Add("1x", "10x", Max);
        return option;
    }

    /// <summary>The speed as it is written, which the help shows as the default.</summary>
    public override string ToString() => Factor is { } factor ? string.Create(CultureInfo.InvariantCulture, $"{factor}x") : Max;

    /// <summary>Reads a speed; null if the text is not one.</summary>
    public static ReplaySpeed? Parse(string text) =>
        text == Max ? new ReplaySpeed(Factor: null)
        : text is [.. var number, 'x'] && double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var factor) && factor > 0 && double.IsFinite(factor) ? new ReplaySpeed(factor)
        : null;
}
