using BufferedMessages.CrossProcess.Unions.Version2;

namespace BufferedMessages.CrossProcess.Unions;

/// <summary>A queue of a union between two processes.</summary>
public sealed class UnionTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void An_older_process_reads_the_cases_that_it_knows_and_passes_over_others()
    {
        using var queue = MessageQueue.Open(_directory.Queue);
        using var peer = Peer.Start(nameof(UnionParts.ReadEvents), _directory.Queue, "4");
        using var producer = queue.OpenProducer<IAccountEvent>();

        producer.Publish(new Opened("Ann"));
        producer.Publish(new Paid(250, "a note that the reader does not know"));
        producer.Publish(new Closed("a case that the reader does not know"));
        producer.Publish(new Paid(300, null));

        Assert.Equal(["opened Ann", "paid 250", "unknown 3", "paid 300"], Enumerable.Range(0, 4).Select(_ => peer.Hear()));
    }
}
