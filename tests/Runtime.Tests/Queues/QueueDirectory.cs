using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A directory for one queue, deleted at the end of the test.</summary>
internal sealed class QueueDirectory : IDisposable
{
    public const long SmallSegment = MessageQueueOptions.MinSegmentBytes;

    public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "bmq-" + Guid.NewGuid().ToString("N"));

    public string ControlFile => System.IO.Path.Combine(Path, "control");

    public string SegmentFile(long position) => System.IO.Path.Combine(Path, position.ToString("D20", CultureInfo.InvariantCulture) + ".segment");

    public MessageQueue Open(long? segmentBytes = SmallSegment, QueueProducers? producers = null) =>
        MessageQueue.Open(Path, new MessageQueueOptions { SegmentBytes = segmentBytes, Producers = producers });

    /// <summary>Opens a queue for one producer.</summary>
    public MessageQueue OpenSingle() => Open(producers: QueueProducers.Single);

    /// <summary>The files as a crash at this moment would leave them: nobody holds a lease in the copy.</summary>
    public QueueDirectory Crash()
    {
        var copy = new QueueDirectory();
        foreach (var file in Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories))
        {
            var target = System.IO.Path.Combine(copy.Path, System.IO.Path.GetRelativePath(Path, file));
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(target)!);
            if (new FileInfo(file).Length > 0)
            {
                using var source = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
                using var destination = File.Create(target);
                source.CopyTo(destination);
            }
        }

        return copy;
    }

    /// <summary>Overwrites bytes of a file.</summary>
    public static void Damage(string file, long offset, params ReadOnlySpan<byte> bytes)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        stream.Position = offset;
        stream.Write(bytes);
    }

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
