using System.Globalization;

namespace BufferedMessages.Bridges.Torture;

/// <summary>A crash of the source's machine: the last bytes of a closed durable queue never reached the disk, and the next opening repairs it.</summary>
internal static class MachineCrash
{
    // As docs/format/queues.md says.
    private const int DurablePositionOffset = 1152;
    private const int BootIdOffset = 1408;
    private const int Alignment = 16;

    /// <summary>Loses some of the last messages.</summary>
    /// <param name="directory">The queue's. No process has it open.</param>
    /// <param name="mostBytes">The most bytes to lose.</param>
    /// <param name="random">Decides how many.</param>
    public static void CutTail(string directory, int mostBytes, Random random)
    {
        long end;
        using (var queue = MessageQueue.OpenExisting(directory))
        {
            end = queue.PublishedPosition;
        }

        var segment = Directory.GetFiles(directory, "*.segment").Max(StringComparer.Ordinal)!;
        var origin = long.Parse(Path.GetFileNameWithoutExtension(segment), CultureInfo.InvariantCulture);
        var position = Math.Max(origin + 4096, end - random.Next(mostBytes)) & -Alignment;
        if (position < end)
        {
            Write(segment, position - origin, new byte[end - position]);
        }

        var control = Path.Combine(directory, "control");
        Write(control, DurablePositionOffset, BitConverter.GetBytes(0L));
        Write(control, BootIdOffset, Guid.NewGuid().ToByteArray());
    }

    private static void Write(string file, long offset, byte[] bytes)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        stream.Position = offset;
        stream.Write(bytes);
    }
}
