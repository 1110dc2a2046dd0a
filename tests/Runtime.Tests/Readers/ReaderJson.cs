using System.Buffers;
using System.Text;
using System.Text.Json;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The JSON of messages, as .NET writes it.</summary>
internal static class ReaderJson
{
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
        if (!string.Equals(LocalTimes.Comparable(expected), LocalTimes.Comparable(actual ?? ""), StringComparison.Ordinal))
        {
            Assert.Fail($"{place}\nexpected {expected}\nis       {actual}");
        }
    }
}
