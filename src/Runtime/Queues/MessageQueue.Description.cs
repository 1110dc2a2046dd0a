using BufferedMessages.Queues;

namespace BufferedMessages;

/// <content>The statistics and the options of the queue, and the search for queues.</content>
public sealed partial class MessageQueue
{
    /// <summary>
    /// Reads the queue's statistics: positions, producers and consumers. This holds up no participant at work; a participant that opens at the same time
    /// may wait for some microseconds. Any process can do this, including one that takes no part in the queue.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The control file, the last segment, or the segment of the next message of a name is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened, or the control file, or the ring of a bounded queue, was truncated.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public QueueStatistics GetStatistics() => Use(static handle => new StatisticsReader(handle.Segments).Read());

    /// <summary>
    /// Gets the options that the queue was created with, and its current retention. <see cref="Open"/> creates a similar queue from them, except for the permissions of its
    /// files: <see cref="MessageQueueOptions.FileMode"/> and <see cref="MessageQueueOptions.FileGroup"/> are not set.
    /// </summary>
    /// <returns>A copy; changing it does not change the queue.</returns>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageQueueOptions GetOptions() => Use(static handle => handle.Control.GetOptions());

    /// <summary>Gets the path of the queue of a name in shared memory, whether or not the queue exists.</summary>
    /// <param name="name">As for <see cref="OpenShared"/>.</param>
    /// <exception cref="ArgumentException">The name is not valid as a file name.</exception>
    public static string GetSharedPath(string name) => QueueLocation.OfName(name);

    /// <summary>Checks whether a directory is a queue. Changes nothing.</summary>
    /// <param name="path">As for <see cref="OpenExisting"/>.</param>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    public static bool Exists(string path) => QueueLocation.IsQueue(QueueLocation.OfPath(path));

    /// <summary>Lists the queues in a folder: the folder itself if it is a queue, and those directly in it. Changes nothing.</summary>
    /// <param name="folder">The folder; null for the folder of the queues in shared memory.</param>
    /// <returns>Their paths, in order.</returns>
    /// <exception cref="DirectoryNotFoundException">The folder does not exist.</exception>
    public static IReadOnlyList<string> List(string? folder = null) =>
        QueueLocation.In(System.IO.Path.TrimEndingDirectorySeparator(folder is null ? QueueLocation.SharedFolder : System.IO.Path.GetFullPath(folder)));

    /// <summary>Gets the time at which the queue was created; null if the time in the control file is not possible.</summary>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    internal DateTimeOffset? CreationTime => Use(static handle => TimeOf(handle.Control.Header.CreationTicks));

    private static DateTimeOffset? TimeOf(long ticks) => ticks > 0 && ticks <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;
}
