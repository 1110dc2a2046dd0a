namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class HugePagesTests : IDisposable
{
    private const string Asked = " hg";

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [HugePagesTheory]
    [InlineData(FlushMode.None, true)]
    [InlineData(FlushMode.Interval, true)]
    [InlineData(FlushMode.EveryMessage, false)]
    public void Segments_are_asked_to_be_of_huge_pages_unless_each_message_would_flush_one(FlushMode flush, bool isExpected)
    {
        // A flush in the background maps the segment too, and asks only after that.
        TimeSpan? never = flush == FlushMode.Interval ? TimeSpan.FromHours(1) : null;
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Durable, Flush = flush, FlushInterval = never, SegmentBytes = 4 * 1024 * 1024 });
        using var producer = queue.OpenProducer();
        producer.Publish("a message"u8);

        Assert.All(FlagsOfSegments(), flags => Assert.Equal(isExpected, flags.Contains(Asked, StringComparison.Ordinal)));
        Assert.NotEmpty(FlagsOfSegments());
    }

    // What the kernel says of each mapping of a segment file.
    private List<string> FlagsOfSegments()
    {
        var lines = File.ReadAllLines("/proc/self/smaps");
        return [.. Enumerable.Range(0, lines.Length)
            .Where(i => lines[i].Contains(_directory.Path, StringComparison.Ordinal) && lines[i].EndsWith(".segment", StringComparison.Ordinal))
            .Select(i => lines.Skip(i).First(line => line.StartsWith("VmFlags:", StringComparison.Ordinal)))];
    }
}
