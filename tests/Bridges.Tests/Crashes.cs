namespace BufferedMessages.Bridges.Tests;

/// <summary>Crashes of the machine: messages that were not written to the disk are gone, and the next opening repairs the queue.</summary>
internal static class Crashes
{
    // As docs/format/queues.md says.
    private const int DurablePositionOffset = 1152;
    private const int BootIdOffset = 1408;
    private const int LostBytes = 64 * 1024;

    /// <summary>Cuts the last messages off a closed durable queue with one segment.</summary>
    /// <param name="directory">The queue's.</param>
    /// <param name="position">The position of the first message that is lost.</param>
    public static void CutTail(string directory, long position)
    {
        Write(Path.Combine(directory, "00000000000000000000.segment"), position, new byte[LostBytes]);
        ForgetFlush(directory, position);
        Write(Path.Combine(directory, "control"), BootIdOffset, Guid.NewGuid().ToByteArray());
    }

    /// <summary>Makes the last messages of a closed durable queue ones that no process has flushed.</summary>
    /// <param name="directory">The queue's.</param>
    /// <param name="position">The position of the first of them.</param>
    public static void ForgetFlush(string directory, long position) => Write(Path.Combine(directory, "control"), DurablePositionOffset, BitConverter.GetBytes(position));

    private static void Write(string file, long offset, byte[] bytes)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        stream.Position = offset;
        stream.Write(bytes);
    }
}
