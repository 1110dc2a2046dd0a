using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A process is killed while it deletes a queue, or a name of one.</summary>
public sealed class DeletionDeathTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData(QueueMode.Bounded, nameof(FaultPoint.DeletionBegun))]
    [InlineData(QueueMode.Bounded, nameof(FaultPoint.DeletionNearlyDone))]
    [InlineData(QueueMode.Durable, nameof(FaultPoint.DeletionBegun))]
    [InlineData(QueueMode.Durable, nameof(FaultPoint.DeletionNearlyDone))]
    public void A_queue_whose_deletion_was_killed_is_gone_and_can_be_deleted_and_created(QueueMode mode, string point)
    {
        foreach (var isDeletedAgain in new[] { true, false })
        {
            var directory = string.Create(CultureInfo.InvariantCulture, $"{_directory.Queue}-{isDeletedAgain}");
            using (var queue = Parts.Open(directory, mode))
            using (var producer = queue.OpenProducer())
            {
                producer.Publish("deleted"u8);
            }

            using (var deleter = Peer.StartWithFaults($"{new FaultOrder(Enum.Parse<FaultPoint>(point), 1, FaultAction.Kill)}", nameof(Parts.DeleteQueue), directory))
            {
                Assert.Null(deleter.Hear());
            }

            Assert.False(MessageQueue.Exists(directory));
            if (isDeletedAgain)
            {
                Assert.True(MessageQueue.Delete(directory));
                Assert.False(Directory.Exists(directory));
                Assert.False(MessageQueue.Delete(directory));
            }

            using var again = Parts.Open(directory, mode);
            using var successor = again.OpenProducer();
            successor.Publish("works"u8);
            using var consumer = again.OpenConsumer<RawMessage>("all");
            Assert.Equal("works"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
        }
    }

    [UnixTheory]
    [InlineData(nameof(FaultPoint.ReclaimBegun))]
    [InlineData(nameof(FaultPoint.ReclaimNearlyDone))]
    public void A_name_whose_deletion_was_killed_is_gone_with_all_messages_of_its_members(string point)
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        producer.Publish("first"u8);
        producer.Publish("second"u8);
        LeaveMessages(queue, 2);

        using (var deleter = Peer.StartWithFaults($"{new FaultOrder(Enum.Parse<FaultPoint>(point), 1, FaultAction.Kill)}", nameof(Parts.DeleteName), _directory.Queue, Parts.Group))
        {
            Assert.Null(deleter.Hear());
        }

        Assert.Empty(queue.GetStatistics().Consumers);
        Assert.False(queue.DeleteConsumer(Parts.Group));
        producer.Publish("third"u8);
        using var member = queue.OpenConsumer<RawMessage>("others", new() { Shared = true, Start = QueueStart.Latest });
        Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members);
        Assert.False(member.TryRead(out _));
        producer.Publish("fourth"u8);
        Assert.Equal("fourth"u8.ToArray(), member.ReadCopy(TimeSpan.FromSeconds(30)));
    }

    // Each member is closed with a message that it has not committed.
    private static void LeaveMessages(MessageQueue queue, int count)
    {
        var members = Enumerable.Range(0, count).Select(_ => queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true })).ToList();
        foreach (var member in members)
        {
            Assert.True(member.TryRead(out var delivery));
            delivery.Dispose();
        }

        members.ForEach(static member => member.Dispose());
    }
}
