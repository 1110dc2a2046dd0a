using System.Globalization;

namespace BufferedMessages.Bridges;

/// <summary>The place of an entry in a stream: one number for a RabbitMQ stream, two for the id of a Redis entry. Later entries have higher offsets.</summary>
/// <param name="Major">The number, or the part of an id before the dash.</param>
/// <param name="Minor">The part of an id after the dash; 0 if the broker has one number.</param>
public readonly record struct StreamOffset(ulong Major, ulong Minor = 0) : IComparable<StreamOffset>
{
    /// <summary>Compares two offsets.</summary>
    public static bool operator <(StreamOffset left, StreamOffset right) => left.CompareTo(right) < 0;

    /// <summary>Compares two offsets.</summary>
    public static bool operator >(StreamOffset left, StreamOffset right) => left.CompareTo(right) > 0;

    /// <summary>Compares two offsets.</summary>
    public static bool operator <=(StreamOffset left, StreamOffset right) => left.CompareTo(right) <= 0;

    /// <summary>Compares two offsets.</summary>
    public static bool operator >=(StreamOffset left, StreamOffset right) => left.CompareTo(right) >= 0;

    /// <summary>Compares the offset with another one of the same stream.</summary>
    public int CompareTo(StreamOffset other) => Major != other.Major ? Major.CompareTo(other.Major) : Minor.CompareTo(other.Minor);

    /// <summary>Returns the offset as text, for example "17" or "3-4096".</summary>
    public override string ToString() => Minor == 0
        ? Major.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{Major}-{Minor}");

    /// <summary>Reads an offset from its text.</summary>
    internal static bool TryParse(ReadOnlySpan<char> text, out StreamOffset offset)
    {
        var dash = text.IndexOf('-');
        ulong minor = 0;
        var isRead = ulong.TryParse(dash < 0 ? text : text[..dash], NumberStyles.None, CultureInfo.InvariantCulture, out var major)
            && (dash < 0 || ulong.TryParse(text[(dash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out minor));
        offset = new StreamOffset(major, minor);
        return isRead;
    }
}
