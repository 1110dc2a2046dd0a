using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>The repair of a ring dies at each of its steps, and leaves no file with holes.</summary>
public sealed class RingRepairTests : IDisposable
{
    private const int SegmentBytes = (int)QueueGeometry.MinSegmentBytes;
    private const int Slots = 4;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void An_exchange_of_slots_that_dies_at_any_step_leaves_every_message()
    {
        var payloads = Fill(_directory.Queue);
        var ring = Path.Combine(_directory.Queue, RingSegments.FileName);
        var bytes = File.ReadAllBytes(ring);
        File.WriteAllBytes(ring, [.. bytes[SegmentBytes..(2 * SegmentBytes)], .. bytes[..SegmentBytes], .. bytes[(2 * SegmentBytes)..]]);
        var deaths = new List<string>();
        FaultPoints.Reached = _ => deaths.Add(Crash($"{_directory.Queue}-{deaths.Count}"));
        try
        {
            RepairAll(_directory.Queue);
        }
        finally
        {
            FaultPoints.Reached = null;
        }

        Assert.Contains(deaths, static death => File.Exists(Path.Combine(death, RingSegments.FileName + ".exchanged")));
        Assert.All([.. deaths, _directory.Queue], queue =>
        {
            RepairAll(queue);
            Assert.Equal(payloads, Read(queue));
            Assert.Empty(Directory.GetFiles(queue, "*.exchanged*"));
        });
    }

    [SmallDiskFact]
    public void A_ring_that_was_cut_off_gets_its_room_on_the_disk_again()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        Fill(directory);
        var free = new DriveInfo(disk.Path).AvailableFreeSpace;
        using (var ring = File.OpenWrite(Path.Combine(directory, RingSegments.FileName)))
        {
            ring.SetLength(SegmentBytes);
        }

        Take(directory);

        Assert.Equal(free, new DriveInfo(disk.Path).AvailableFreeSpace);
    }

    private static List<byte[]> Fill(string directory)
    {
        using var queue = MessageQueue.Open(directory, new MessageQueueOptions { Mode = QueueMode.Bounded, Slots = Slots, SegmentBytes = SegmentBytes });
        using var producer = queue.OpenProducer();
        for (var number = 0; number < 2 * Slots - 1; number++)
        {
            producer.Publish(Enumerable.Repeat((byte)number, 30_000).ToArray());
        }

        return Read(directory);
    }

    private static List<byte[]> Read(string directory)
    {
        using var queue = MessageQueue.OpenExisting(directory);
        using var reader = queue.OpenReader<RawMessage>();
        var payloads = new List<byte[]>();
        while (reader.TryRead(out var delivery))
        {
            payloads.Add(delivery.Message.Bytes.ToArray());
        }

        return payloads;
    }

    private static void RepairAll(string directory)
    {
        while (Take(directory) > 0)
        {
        }
    }

    private static int Take(string directory)
    {
        var queue = QueueHandle.Open(directory);
        try
        {
            var steps = QueueRepair.Plan(queue, CancellationToken.None, out _);
            foreach (var step in steps)
            {
                step.Take();
            }

            return steps.Count;
        }
        finally
        {
            queue.Release();
        }
    }

    // The files as the process leaves them, without its leases.
    private string Crash(string copy)
    {
        foreach (var file in Directory.EnumerateFiles(_directory.Queue, "*", SearchOption.AllDirectories).Where(static file => new FileInfo(file).Length > 0))
        {
            var target = Path.Combine(copy, Path.GetRelativePath(_directory.Queue, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }

        Directory.CreateDirectory(Path.Combine(copy, "leases"));
        return copy;
    }
}
