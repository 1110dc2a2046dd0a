namespace BufferedMessages.Hosting.Torture;

/// <summary>The files of a run.</summary>
internal static class TortureDirectory
{
    /// <summary>The name of the queue among the services.</summary>
    public const string Queue = "torture";

    private const long SegmentBytes = 64 * 1024;

    /// <summary>Small segments that are deleted when all handlers have read them.</summary>
    public static MessageQueueOptions QueueOptions => new() { SegmentBytes = SegmentBytes, Retention = new QueueRetention { DeleteRead = true } };

    public static string QueueOf(string directory) => Path.Combine(directory, "queue");

    public static string JournalOf(string directory) => Path.Combine(directory, "journal");
}
