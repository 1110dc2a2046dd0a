using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>Numbers for people.</summary>
internal static class Quantity
{
    private const double Step = 1024;
    private const double MostOfUnit = 120;

    private static readonly string[] Units = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];

    /// <summary>Formats a number with separators: 158,203,136.</summary>
    public static string Of(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Formats a size in units of 1,024: 1.2 GB. A whole number has no fraction.</summary>
    public static string Bytes(double bytes)
    {
        var unit = 0;
        while (Math.Abs(bytes) >= Step && unit < Units.Length - 1)
        {
            bytes /= Step;
            unit++;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{bytes:#,0.#} {Units[unit]}");
    }

    /// <summary>Formats a rate without a unit: 1,204,551 or 0.5.</summary>
    public static string Rate(double rate) => rate >= 10 || rate == 0 ? rate.ToString("N0", CultureInfo.InvariantCulture) : rate.ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>Formats a time in its largest useful unit: 1.5 s, 3 min, 2 h, 4 d.</summary>
    public static string Time(TimeSpan time) => time switch
    {
        _ when time.TotalMilliseconds < 1 => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMicroseconds:0.#} us"),
        _ when time.TotalSeconds < 1 => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.#} ms"),
        _ when time.TotalSeconds < MostOfUnit => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.#} s"),
        _ when time.TotalMinutes < MostOfUnit => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMinutes:0} min"),
        _ when time.TotalHours < 48 => string.Create(CultureInfo.InvariantCulture, $"{time.TotalHours:0} h"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{time.TotalDays:0} d"),
    };

    /// <summary>Formats a moment in UTC, to the second.</summary>
    public static string Moment(DateTimeOffset moment) => moment.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    /// <summary>Formats a count and its noun: 1 segment, 3 segments.</summary>
    public static string Count(long count, string noun) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} {noun}{(count == 1 ? "" : "s")}");
}
