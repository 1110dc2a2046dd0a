using System.Globalization;

namespace BufferedMessages.Sessions;

/// <summary>A directory of its own for the queues of a session, deleted at the end.</summary>
internal sealed class SessionDirectory : IDisposable
{
    private static readonly TimeSpan LongestClosing = TimeSpan.FromSeconds(5);

    public SessionDirectory(string parent) =>
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"toolkit-session-{Environment.ProcessId}-{Guid.NewGuid():N}")).FullName;

    public string Path { get; }

    /// <summary>Where the queue of a round is.</summary>
    public static string QueueOf(SessionOptions options, long round, string name = "queue") =>
        System.IO.Path.Combine(options.Directory, $"{name}-{round.ToString(CultureInfo.InvariantCulture)}");

    /// <summary>Makes the queue of a round.</summary>
    public static void CreateQueue(SessionOptions options, long round, string name = "queue")
    {
        var path = QueueOf(options, round, name);
        var segmentBytes = options.SegmentBytes ?? (WarmPages.AreNeeded(options) ? WarmPages.SegmentBytes : null);
        MessageQueue.Open(path, new MessageQueueOptions
        {
            Mode = options.Mode,
            Producers = options.HasSingleProducer ? ProducerMode.Single : ProducerMode.Multiple,
            SegmentBytes = segmentBytes,
            Slots = options.Slots,
            Retention = options.DeletesRead ? new() { DeleteRead = true } : null,
            Flush = options.Flush == FlushMode.None ? null : options.Flush,
        }).Dispose();
        if (WarmPages.AreNeeded(options))
        {
            WarmPages.Prepare(path, options);
        }
    }

    /// <summary>Deletes the queue of a round, so that many rounds do not fill the memory.</summary>
    public static void DeleteQueue(SessionOptions options, long round, string name = "queue")
    {
        var path = QueueOf(options, round, name);
        var end = DateTime.UtcNow + LongestClosing;
        while (true)
        {
            try
            {
                Directory.Delete(path, recursive: true);
                return;
            }
            catch (IOException) when (DateTime.UtcNow < end)
            {
                // The processes of a round answer before they close, so a producer may have made the file of its next segment.
                Thread.Sleep(1);
            }
        }
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
