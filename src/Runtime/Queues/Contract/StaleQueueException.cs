namespace BufferedMessages;

/// <summary>
/// The files of a queue were deleted, replaced or cut while the program used the queue. It is noticed within a second. Messages that were published since then are lost, or
/// are in files that no other program sees. Close all producers and consumers of the queue, and open it again.
/// </summary>
public sealed class StaleQueueException : IOException
{
    internal StaleQueueException(string directory, string path, string loss)
        : base($"'{path}' was {loss} while this program used the queue in '{directory}'. Messages of the last second may be lost. Close all producers and consumers of the queue, and open it again.")
    {
    }
}
