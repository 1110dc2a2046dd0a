using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>The ids of entries as text: both parts, always.</summary>
internal static class EntryId
{
    public static string Format(StreamOffset id) => string.Create(CultureInfo.InvariantCulture, $"{id.Major}-{id.Minor}");

    /// <exception cref="IOException">The server sent another text.</exception>
    public static StreamOffset Parse(RedisValue value)
    {
        var text = value.ToString().AsSpan();
        var dash = text.IndexOf('-');
        if (dash < 0
            || !ulong.TryParse(text[..dash], NumberStyles.None, CultureInfo.InvariantCulture, out var major)
            || !ulong.TryParse(text[(dash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var minor))
        {
            ThrowNotAnId(value);
            return default;
        }

        return new StreamOffset(major, minor);
    }

    /// <summary>The highest id below another one; 0-0 has none, and is itself not the id of an entry.</summary>
    public static StreamOffset Before(StreamOffset id) => id switch
    {
        { Minor: > 0 } => id with { Minor = id.Minor - 1 },
        { Major: > 0 } => new StreamOffset(id.Major - 1, ulong.MaxValue),
        _ => default,
    };

    [DoesNotReturn]
    private static void ThrowNotAnId(RedisValue value) => throw new IOException($"The Redis server sent '{value}' where the id of an entry was expected.");
}
