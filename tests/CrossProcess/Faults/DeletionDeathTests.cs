using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A process is killed while it deletes a queue.</summary>
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
}
