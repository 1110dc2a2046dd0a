using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The JSON of messages, as .NET writes it.</summary>
internal static partial class ReaderJson
{
    // A local time has the offset of the machine's zone, and systems differ in the history of zones: only those of UTC are compared.
    private static readonly bool IsUtc = TimeZoneInfo.Local is { BaseUtcOffset.Ticks: 0, SupportsDaylightSavingTime: false };

    public static string Of(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            BufferedMessage.WriteJson(message, schema, json);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>Requires two JSON texts to be the same, byte for byte.</summary>
    public static void AssertSame(string expected, string? actual, string? place = null)
    {
        if (!string.Equals(Comparable(expected), Comparable(actual ?? ""), StringComparison.Ordinal))
        {
            Assert.Fail($"{place}\nexpected {expected}\nis       {actual}");
        }
    }

    private static string Comparable(string json) => IsUtc ? json : Offset().Replace(json.Replace("\\u002B", "+", StringComparison.Ordinal), "${clock}");

    [GeneratedRegex(@"(?<clock>\.[0-9]{7})[+-][0-9]{2}:[0-9]{2}", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Offset();
}
