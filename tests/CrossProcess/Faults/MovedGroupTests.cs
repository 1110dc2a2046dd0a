using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A member notes how far its group is done, while another one moves the group.</summary>
public sealed class MovedGroupTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    // The members that read on would soon pass the later position. After a crash of the machine, the group would then not get a message again that one of them had in flight.
    [Fact]
    public void A_member_that_looked_before_its_group_was_moved_back_leaves_no_later_position_as_done()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        using var mover = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var closing = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var first = producer.Publish("first"u8);
        producer.Publish("second"u8);
        Assert.Equal("first"u8.ToArray(), closing.ReadCopy(TimeSpan.Zero));
        Assert.Equal("second"u8.ToArray(), closing.ReadCopy(TimeSpan.Zero));
        var moves = 0;
        FaultPoints.Reached = point =>
        {
            if (point == FaultPoint.WatermarkBetweenWords && moves++ == 0)
            {
                mover.Seek(QueueStart.At(first));
            }
        };
        try
        {
            closing.Dispose();
        }
        finally
        {
            FaultPoints.Reached = null;
        }

        Assert.NotEqual(0, moves);
        var handle = QueueHandle.Open(_directory.Queue);
        var group = handle.Control.Cursor(0);
        handle.Release();
        Assert.Equal((first, first), (group.Position, group.DonePosition));
    }
}
