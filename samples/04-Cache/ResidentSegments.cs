using System.Globalization;
using BufferedMessages.Caching;

namespace BufferedMessages.Samples.Caching;

/// <summary>The memory of this process that the segments of a cache take.</summary>
internal static class ResidentSegments
{
    /// <summary>Gets the bytes, on Linux by the figures of the kernel (Rss of the mappings), elsewhere by those of the cache.</summary>
    public static long Read(MessageCache<string> cache)
    {
        if (!OperatingSystem.IsLinux())
        {
            return cache.GetStatistics().MemoryBytes;
        }

        var sum = 0L;
        var isSegment = false;
        foreach (var line in File.ReadLines("/proc/self/smaps"))
        {
            // A mapping begins with its addresses, in lower case; names of its figures begin with a capital letter.
            if (!char.IsAsciiLetterUpper(line[0]))
            {
                isSegment = line.Contains(cache.Directory, StringComparison.Ordinal) && line.EndsWith(".segment", StringComparison.Ordinal);
            }
            else if (isSegment && line.StartsWith("Rss:", StringComparison.Ordinal))
            {
                sum += 1024 * long.Parse(line.AsSpan("Rss:".Length, line.Length - "Rss: kB".Length), NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture);
            }
        }

        return sum;
    }
}
