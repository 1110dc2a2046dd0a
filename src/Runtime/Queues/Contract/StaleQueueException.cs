namespace BufferedMessages;

/// <summary>
/// The exception that is thrown when the files of a queue were deleted, replaced or truncated while the program used it. Participants notice this within a second. Messages that were published
/// since then are lost, or are in files that no other program sees. Close all producers and consumers of the queue, and open it again.
/// </summary>
public sealed class StaleQueueException : IOException
{
    internal StaleQueueException(string directory, string path, string loss)
        : base($"'{path}' was {loss} while this program used the queue in '{directory}'. Messages of the last second may be lost. Close all producers and consumers of the queue, and open it again.")
    {
    }
}
