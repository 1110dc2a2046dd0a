using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>
/// Puts the pages of a durable queue's first segment, a large one, into the page cache: zeros over the zeros after the header of a new segment. The pages are made huge, as those of a bounded queue
/// in memory are, so that the two differ by what they do and not by their pages.
/// </summary>
internal static unsafe partial class WarmPages
{
    /// <summary>A round fits into one segment of this size.</summary>
    public const long SegmentBytes = 1024 * 1024 * 1024;

    // See docs/format/queues.md, part Segments.
    private const int HeaderBytes = 128;

    private const int AdviceCollapse = 25;

    public static bool AreNeeded(SessionOptions options) => options is { HasWarmPages: true, Mode: QueueMode.Durable };

    // SAFETY: The range is that of the mapped file.
    public static void Prepare(string directory, SessionOptions options)
    {
        using (var queue = MessageQueue.Open(directory))
        {
            // The first segment is made for the queue's content.
            using IDisposable producer = options.Flow is Flow.TradesOneField or Flow.TradesAllFields ? queue.OpenProducer<Trade>() : queue.OpenProducer();
        }

        var path = Directory.EnumerateFiles(directory, "*.segment").Single();
        var length = new FileInfo(path).Length;
        using var file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
        using var view = file.CreateViewAccessor(0, length);
        byte* start = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        NativeMemory.Clear(start + HeaderBytes, (nuint)(length - HeaderBytes));
        if (OperatingSystem.IsLinux())
        {
            // The kernel makes huge pages only around pages that exist already.
            _ = Advise(start, (nuint)length, AdviceCollapse);
        }

        view.SafeMemoryMappedViewHandle.ReleasePointer();
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(byte* start, nuint bytes, int advice);
}
