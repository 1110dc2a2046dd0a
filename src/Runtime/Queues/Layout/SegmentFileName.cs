namespace BufferedMessages.Queues;

/// <summary>The names of the files of a durable queue's segments: the position where each begins.</summary>
internal static class SegmentFileName
{
    public const string Extension = ".segment";

    /// <summary>The suffix of a segment that a repair moves aside while it swaps two.</summary>
    public const string Exchanged = ".exchanged";

    private const string Zeros = "00000000000000000000";

    /// <summary>The file of the segment that begins at a position.</summary>
    public static string In(string directory, long position)
    {
        // Formatted without a culture: the first one of a process takes milliseconds to load, also the invariant one.
        var digits = $"{position}";
        return Path.Combine(directory, Zeros[digits.Length..] + digits + Extension);
    }
}
