namespace BufferedMessages.CrossProcess;

public sealed class WaitingTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_process_that_waits_is_woken_by_a_message()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        using var waiting = Peer.Start(nameof(Parts.AwaitMessage), _directory.Queue, "risk", "60000");
        Assert.Equal("ready", waiting.Hear());

        producer.Publish("good morning"u8);

        Assert.Equal("good morning", waiting.Hear());
    }

    [Fact]
    public void A_process_that_waits_in_vain_gives_up_in_time()
    {
        using var waiting = Peer.Start(nameof(Parts.AwaitMessage), _directory.Queue, "risk", "120");

        Assert.Equal("ready", waiting.Hear());
        Assert.Equal("timeout", waiting.Hear());
    }

    [Fact]
    public void A_process_that_was_killed_while_it_waited_does_not_hinder_others()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        using (var waiting = Peer.Start(nameof(Parts.AwaitMessage), _directory.Queue, "risk", "60000"))
        {
            Assert.Equal("ready", waiting.Hear());
            waiting.Kill();
        }

        for (var i = 0; i < 2_000; i++)
        {
            producer.Publish("nobody waits"u8);
        }

        using var successor = queue.OpenConsumer("risk");
        Assert.True(successor.TryRead(out var lease));
        lease.Commit();
    }
}
