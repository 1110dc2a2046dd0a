using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A process that makes a control file anew dies at each of its steps, and another one begins again.</summary>
public sealed class RebuildDeathTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_rebuild_that_dies_at_any_step_keeps_the_names_for_the_next_one()
    {
        using (var queue = MessageQueue.Open(_directory.Queue, new MessageQueueOptions { SegmentBytes = QueueGeometry.MinSegmentBytes }))
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("audit"))
        {
            producer.Publish("first"u8);
            producer.Publish("second"u8);
            Assert.Equal("first"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
        }

        var deaths = new List<string>();
        FaultPoints.Reached = _ => deaths.Add(Crash($"{_directory.Queue}-{deaths.Count}"));
        try
        {
            Rebuild(_directory.Queue);
        }
        finally
        {
            FaultPoints.Reached = null;
        }

        Assert.NotEmpty(deaths);
        Assert.All(deaths, static death =>
        {
            Rebuild(death);
            using var queue = MessageQueue.OpenExisting(death);
            using var consumer = queue.OpenConsumer<RawMessage>("audit");
            Assert.Equal("second"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
        });
    }

    private static void Rebuild(string queue)
    {
        var rebuild = new ControlRebuild(queue, schemaText: null);
        rebuild.RunAlone(() =>
        {
            foreach (var step in rebuild.Steps)
            {
                step.Take();
            }
        });
    }

    // The files as the process leaves them, without its leases.
    private string Crash(string copy)
    {
        foreach (var file in Directory.EnumerateFiles(_directory.Queue, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(copy, Path.GetRelativePath(_directory.Queue, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            if (new FileInfo(file).Length > 0)
            {
                File.Copy(file, target);
            }
        }

        return copy;
    }
}
