namespace BufferedMessages.Queues;

/// <summary>Where a queue lives: a bounded one that is asked for by a bare name lives in memory, everything else where the user says.</summary>
internal static class QueueLocation
{
    private const string SharedMemory = "/dev/shm";

    // One directory per queue, so that each belongs to the user who made it.
    private const string Prefix = "bufferedmessages-";

    /// <summary>The full path of a queue's directory.</summary>
    public static string Resolve(string directory, QueueMode? mode) => mode == QueueMode.Bounded && IsBareName(directory)
        ? Path.Combine(Directory.Exists(SharedMemory) ? SharedMemory : Path.GetTempPath(), Prefix + directory)
        : Path.GetFullPath(directory);

    private static bool IsBareName(string directory) =>
        directory is not ("." or "..") && string.Equals(Path.GetFileName(directory), directory, StringComparison.Ordinal);
}
