using BufferedMessages.Queues;
using BufferedMessages.Segments;
using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A directory for one queue, deleted at the end of the test.</summary>
/// <param name="mode">Of the queue; null for the default.</param>
/// <param name="producers">Of the queue; null for the default.</param>
internal sealed class QueueDirectory(QueueMode? mode = null, ProducerMode? producers = null) : IDisposable
{
    public const long SmallSegment = QueueGeometry.MinSegmentBytes;

    /// <summary>The position of the first record that a producer writes to a new queue.</summary>
    public const long FirstRecord = SegmentHeader.Bytes;

    /// <summary>The offset of the number of payload bytes of that record.</summary>
    public const long FirstPayloadBytes = FirstRecord + RecordWord.PayloadBytesOffset;

    /// <summary>Bytes of a payload that fills a segment.</summary>
    public const int LargestPayload = (int)SmallSegment - SegmentHeader.Bytes - RecordWord.HeaderBytes;

    /// <summary>Bytes of the record of a number, see <see cref="Payload"/>.</summary>
    public const int NumberRecord = 32;

    /// <summary>How many numbers fill a segment to its last byte.</summary>
    public const int NumbersInSegment = ((int)SmallSegment - SegmentHeader.Bytes) / NumberRecord;

    // The flushes of a queue in memory wait for no disk.
    private static readonly string Memory = Directory.Exists("/dev/shm") ? "/dev/shm" : System.IO.Path.GetTempPath();

    // So many that a test need not read while it publishes.
    private const int ManySlots = 32;

    public string Path { get; private init; } = NewPath(System.IO.Path.GetTempPath());

    public string ControlFile => System.IO.Path.Combine(Path, "control");

    /// <summary>The queue keeps its records in a ring, which in its first lap has each at its position.</summary>
    public bool IsBounded => mode == QueueMode.Bounded;

    public bool IsSingle => producers == ProducerMode.Single;

    /// <summary>The file of the segment that begins at a position.</summary>
    public string SegmentFile(long position) => IsBounded ? System.IO.Path.Combine(Path, "ring") : System.IO.Path.Combine(Path, position.ToString("D20", CultureInfo.InvariantCulture) + ".segment");

    public MessageQueue Open(long? segmentBytes = SmallSegment, int? slots = null) => Open(producers, segmentBytes, slots);

    /// <summary>Opens a queue for one producer.</summary>
    public MessageQueue OpenSingle() => Open(ProducerMode.Single, SmallSegment, slots: null);

    private static string NewPath(string folder) => System.IO.Path.Combine(folder, "bmq-" + Guid.NewGuid().ToString("N"));

    private MessageQueue Open(ProducerMode? producersMode, long? segmentBytes, int? slots) => MessageQueue.Open(
        Path, new MessageQueueOptions { Mode = mode, Producers = producersMode, SegmentBytes = segmentBytes, Slots = IsBounded ? slots ?? ManySlots : null });

    /// <summary>A copy of the files, in memory where that is possible, as a crash at this moment would leave them: no process holds a lease in it.</summary>
    public QueueDirectory Crash()
    {
        var copy = new QueueDirectory(mode, producers) { Path = NewPath(Memory) };
        foreach (var file in Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories))
        {
            var target = System.IO.Path.Combine(copy.Path, System.IO.Path.GetRelativePath(Path, file));
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(target)!);

            // A producer's spare segment may get another name meanwhile, and is locked while its room is allocated.
            if (new FileInfo(file) is { Exists: true, Length: > 0 })
            {
                try
                {
                    using var source = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
                    using var destination = File.Create(target);
                    source.CopyTo(destination);
                }
                catch (IOException) when (file.EndsWith(".creating", StringComparison.Ordinal))
                {
                }
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
