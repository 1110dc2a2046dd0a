using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The flush after one that failed, without a disk that fails. The system takes the pages for written.</summary>
public sealed class UntrustedPagesTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [WriteTimesTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pages_that_the_system_takes_for_written_are_written_again_only_after_a_flush_has_failed(bool hasFailed)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var position = producer.Publish("one"u8);
        var file = _directory.SegmentFile(0);
        using (var written = MappedFile.Open(file))
        {
            written.Flush();
        }

        File.SetLastWriteTimeUtc(file, DateTime.UnixEpoch);
        var handle = QueueHandle.Open(_directory.Path);
        if (hasFailed)
        {
            // In this process or another one.
            Interlocked.Increment(ref handle.Control.Header.FlushFailures);
        }

        Assert.True(handle.Flusher.TryFlushThrough(position, new LivenessProbe(handle.Control)));

        Assert.True(queue.DurablePosition > position);
        Assert.Equal(hasFailed, File.GetLastWriteTimeUtc(file) != DateTime.UnixEpoch);
        handle.Release();
    }
}
