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
    public void A_process_that_was_killed_while_it_waited_is_soon_no_longer_counted_as_waiting()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        using (var waiting = Peer.Start(nameof(Parts.AwaitMessage), _directory.Queue, "risk", "60000"))
        {
            Assert.Equal("ready", waiting.Hear());
            Assert.True(SpinWait.SpinUntil(() => Waiters() == 1, TimeSpan.FromSeconds(60)) || !OperatingSystem.IsLinux());
            waiting.Kill();
        }

        for (var i = 0; i < 2_000; i++)
        {
            producer.Publish("nobody waits"u8);
        }

        Assert.Equal(0u, Waiters());
        using var successor = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(successor.TryRead(out var delivery));
        delivery.Commit();
    }

    // Where ControlHeader draws it.
    private uint Waiters()
    {
        using var control = new FileStream(Path.Combine(_directory.Queue, "control"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var header = new byte[4096];
        control.ReadExactly(header);
        return BitConverter.ToUInt32(header, 512);
    }
}
