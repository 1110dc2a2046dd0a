using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>Measures the bytes that a cache uses, by the figures of the system.</summary>
internal static class BudgetWatch
{
    /// <summary>Gets the bytes of the segment files.</summary>
    public static long DiskBytes(string cache)
    {
        var sum = 0L;
        foreach (var file in new DirectoryInfo(cache).EnumerateFiles("*.segment"))
        {
            sum += file.Length;
        }

        return sum;
    }

    /// <summary>Gets the bytes of segments that a process has in memory; 0 where the system does not report them.</summary>
    public static long ResidentBytes(int processId, string cache)
    {
        var path = $"/proc/{processId.ToString(CultureInfo.InvariantCulture)}/smaps";
        var sum = 0L;
        var isSegment = false;
        try
        {
            foreach (var line in File.ReadLines(path))
            {
                // A mapping begins with its addresses and may have no file; its figures follow, each with its name.
                if (line.AsSpan().IndexOf(' ') is var space && space > 0 && line[space - 1] != ':' && line.AsSpan(0, space).Contains('-'))
                {
                    isSegment = line.Contains(cache, StringComparison.Ordinal) && line.EndsWith(".segment", StringComparison.Ordinal);
                }
                else if (isSegment && line.StartsWith("Rss:", StringComparison.Ordinal))
                {
                    sum += 1024 * long.Parse(line.AsSpan(4, line.Length - 6).Trim(), CultureInfo.InvariantCulture);
                }
            }
        }
        catch (IOException)
        {
            // The process was killed just now.
        }

        return sum;
    }
}
