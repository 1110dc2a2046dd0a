using System.Text.RegularExpressions;

namespace BufferedMessages.TestKit;

/// <summary>Local times in JSON.</summary>
public static partial class LocalTimes
{
    private static readonly bool IsUtc = TimeZoneInfo.Local is { BaseUtcOffset.Ticks: 0, SupportsDaylightSavingTime: false };

    /// <summary>
    /// Gets a text that can be compared on every machine. A local time has the offset of the machine's zone, and systems differ in the history of zones:
    /// only those of UTC are kept.
    /// </summary>
    public static string Comparable(string json) => IsUtc ? json : Offset().Replace(json.Replace("\\u002B", "+", StringComparison.Ordinal), "${clock}");

    [GeneratedRegex(@"(?<clock>\.[0-9]{7})[+-][0-9]{2}:[0-9]{2}", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Offset();
}
