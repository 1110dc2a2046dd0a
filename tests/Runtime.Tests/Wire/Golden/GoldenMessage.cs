using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Messages written by hand from docs/format/messages.md, and what has to agree with them.</summary>
internal static class GoldenMessage
{
    /// <summary>Bytes of a hex listing; what follows a semicolon explains the line.</summary>
    public static byte[] Parse(string listing) =>
        [.. listing
            .Split('\n')
            .Select(line => line.Split(';')[0])
            .SelectMany(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            .Select(hex => byte.Parse(hex, NumberStyles.HexNumber, CultureInfo.InvariantCulture))];

    /// <summary>Size and bytes are those of the listing, also over a destination full of old bytes.</summary>
    public static void AssertWrites<TSource>(TSource source, byte[] expected)
        where TSource : IBufferedMessageSource<TSource>
    {
        var destination = new byte[expected.Length];
        destination.AsSpan().Fill(0xEE);
        Assert.Equal(expected.Length, source.CalculateSize());
        Assert.Equal(expected.Length, source.Write(destination));
        Assert.Equal(Convert.ToHexString(expected), Convert.ToHexString(destination));
    }
}
