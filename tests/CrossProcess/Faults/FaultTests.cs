using BufferedMessages.Queues;
using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>Faults of processes and of the machine, each by its name. Deaths are in <see cref="FaultPointTests"/> and <see cref="KillTests"/>, long pauses in <see cref="PauseTests"/>.</summary>
public sealed class FaultTests : IDisposable
{
    private static readonly TimeSpan Shortly = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private const ulong RestOfPadding = ((ulong)(Parts.SegmentBytes - SegmentHeader.Bytes) << 32) | RecordWord.Padding;
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData(nameof(FaultPoint.SlotLocked))]
    [InlineData(nameof(FaultPoint.SlotOpening))]
    [InlineData(nameof(FaultPoint.SlotHalfFilled))]
    public void A_producer_stopped_while_it_opens_a_segment_is_waited_for_and_nothing_is_lost(string point)
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer();
        producer.Publish("first"u8);

        // The other producer fills the first segment, and stops while it opens the second.
        using var opener = Peer.StartWithFaults(
            new FaultOrder(Enum.Parse<FaultPoint>(point), 1, FaultAction.Stop).ToString(), nameof(Parts.FillSegment), _directory.Queue);
        Assert.Equal("ready", opener.Hear());
        opener.AwaitStop();

        Assert.False(producer.TryPublish(new byte[60_000], out _, Shortly));
        opener.Resume();
        Assert.Equal("filled", opener.Hear());
        producer.Publish("last"u8, new CancellationTokenSource(Generous).Token);
        Assert.Equal("first"u8.ToArray(), consumer.ReadCopy(Generous));
        for (var i = 0; i < Parts.SegmentFillers; i++)
        {
            Assert.Equal(Parts.FillerBytes, consumer.ReadCopy(Generous)!.Length);
        }

        Assert.Equal("last"u8.ToArray(), consumer.ReadCopy(Generous));
    }

    [Theory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_queue_near_the_last_position_works(QueueMode mode)
    {
        Parts.Open(_directory.Queue, mode).Dispose();
        var segment = (long.MaxValue / Parts.SegmentBytes) - 8;
        segment -= segment % QueueGeometry.DefaultSlots;
        StandAt(mode, segment);
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.Latest });
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true, Start = QueueStart.Latest });
        using var producer = queue.OpenProducer();
        var message = new byte[10_000];
        for (var i = 0; i < 30; i++)
        {
            message[0] = (byte)i;
            Assert.True(producer.TryPublish(message, out var position, Generous) && position >= segment * Parts.SegmentBytes);
            Assert.Equal(message, consumer.ReadCopy(Generous));
            Assert.Equal(message, member.ReadCopy(Generous));
        }
    }

    [UnixFact]
    public void A_creator_whose_folders_another_process_deletes_with_a_queue_creates_it_again()
    {
        using var creator = Peer.StartWithFaults(
            new FaultOrder(FaultPoint.DirectoryCreated, 1, FaultAction.Stop).ToString(), nameof(Parts.CreateQueue), _directory.Queue, nameof(QueueMode.Durable));
        creator.AwaitStop();
        Parts.Open(_directory.Queue).Dispose();
        Assert.True(MessageQueue.Delete(_directory.Queue));

        creator.Resume();

        Assert.Equal("created", creator.Hear());
    }

    [SmallDiskFact]
    public void A_read_only_directory_is_an_exception_that_names_it()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        disk.MakeReadOnly();

        var exception = Assert.ThrowsAny<SystemException>(() => Parts.Open(directory));

        Assert.True(exception is IOException or UnauthorizedAccessException, exception.ToString());
        Assert.Contains(directory, exception.Message, StringComparison.Ordinal);
    }

    [SmallDiskFact]
    public void A_queue_on_a_disk_that_became_read_only_is_an_exception_and_unchanged()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        using (var queue = Parts.Open(directory))
        {
            queue.OpenConsumer<RawMessage>("all").Dispose();
        }

        disk.MakeReadOnly();

        var exception = Assert.ThrowsAny<SystemException>(() => Parts.Open(directory));

        Assert.True(exception is IOException or UnauthorizedAccessException, exception.ToString());
    }

    [Theory]
    [InlineData("blocking")]
    [InlineData("async")]
    public void Sixty_four_idle_waiters_cost_next_to_no_processor_time(string way)
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        using var waiters = Peer.Start(nameof(Parts.WaitIdly), _directory.Queue, "64", way);
        Assert.Equal("ready", waiters.Hear());

        // They look again ten times a second: a waiter that polls would take a whole processor.
        var share = double.Parse(waiters.Hear()!, CultureInfo.InvariantCulture);

        Assert.InRange(share, 0, 0.3);
    }

    // Where ControlHeader and RingSlot draw it: the segments in front of this one are read and gone.
    private void StandAt(QueueMode mode, long segment)
    {
        const int TailHint = 256;
        const int OpenSegments = 384;
        const int FirstSegment = 1024;
        const int RingSlots = 4096 + (256 * 384) + (254 * 256);
        using (var control = new FileStream(Path.Combine(_directory.Queue, "control"), FileMode.Open, FileAccess.ReadWrite))
        {
            Put(control, TailHint, segment * Parts.SegmentBytes);
            if (mode == QueueMode.Durable)
            {
                Put(control, OpenSegments, segment);
                Put(control, FirstSegment, segment - 1);
            }

            for (var slot = 0; mode == QueueMode.Bounded && slot < QueueGeometry.DefaultSlots; slot++)
            {
                Put(control, RingSlots + (slot * 128), ((segment - QueueGeometry.DefaultSlots + slot) * 2) + 2);
            }
        }

        var handle = QueueHandle.Open(_directory.Queue);
        if (handle.Segments is FileSegments files)
        {
            CreateSegment(files, segment - 1);
        }
        else
        {
            FillRing(handle.Control, segment - 1);
        }

        handle.Release();
    }

    // A consumer starts at the earliest segment there is, which must hold records up to its end: its header, and padding.
    private static void CreateSegment(FileSegments segments, long segment)
    {
        segments.CreateFile(segment, "creating");
        using var file = new FileStream(segments.FileOf(segment), FileMode.Open, FileAccess.ReadWrite);
        Put(file, SegmentHeader.Bytes, RestOfPadding);
    }

    private void FillRing(ControlMap control, long last)
    {
        using var ring = new FileStream(Path.Combine(_directory.Queue, "ring"), FileMode.Open, FileAccess.ReadWrite);
        for (var segment = last - QueueGeometry.DefaultSlots + 1; segment <= last; segment++)
        {
            var start = segment % QueueGeometry.DefaultSlots * Parts.SegmentBytes;
            Put(ring, start, SegmentHeader.Of(control, segment, RecordWord.Free));
            Put(ring, start + SegmentHeader.Bytes, RestOfPadding);
        }
    }

    private static void Put<T>(FileStream file, long offset, T value)
        where T : unmanaged
    {
        file.Position = offset;
        file.Write(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));
    }
}
