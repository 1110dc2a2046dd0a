using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A process is killed within a record, while another one is stopped that could have settled that.</summary>
public sealed class DeathTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_process_stopped_while_it_opens_something_keeps_no_other_from_finding_the_dead(QueueMode mode)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer();
        using var claimer = StartClaimer();
        using var opener = StartStopping(FaultPoint.MembershipLocked, nameof(Parts.HoldConsumer));

        claimer.Kill();
        producer.Publish("behind"u8);

        Assert.Equal(["published", "behind"], [Read(consumer), Read(consumer)]);
        opener.Resume();
        Assert.Equal("ready", opener.Hear());
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_process_stopped_with_a_death_that_it_found_holds_up_no_other(QueueMode mode)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var other = queue.OpenConsumer<RawMessage>("other"))
        using (var claimer = StartClaimer())
        {
            Assert.Equal("published", Read(other));
            claimer.Kill();
        }

        using var finder = StartStopping(FaultPoint.DeathFound, nameof(Parts.AwaitMessage), Generous.TotalMilliseconds.ToString(System.Globalization.CultureInfo.InvariantCulture));
        using var producer = queue.OpenProducer();
        producer.Publish("behind"u8);

        Assert.Equal(["published", "behind"], [Read(consumer), Read(consumer)]);
        finder.Resume();
        Assert.Equal("ready", finder.Hear());
        Assert.Equal("behind", finder.Hear());
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded, true)]
    [InlineData(QueueMode.Bounded, false)]
    [InlineData(QueueMode.Durable, true)]
    [InlineData(QueueMode.Durable, false)]
    public void Records_that_dead_producers_left_unfinished_hide_nothing_from_a_read_that_does_not_wait(QueueMode mode, bool isGroup)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = isGroup ? queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true }) : queue.OpenConsumer<RawMessage>("all");

        LeaveUnfinishedRecords(queue);

        Assert.Equal(["published", "published", "published", "behind"], ReadWithoutWaiting(consumer));
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded, true)]
    [InlineData(QueueMode.Bounded, false)]
    [InlineData(QueueMode.Durable, true)]
    [InlineData(QueueMode.Durable, false)]
    public async Task Records_that_dead_producers_left_unfinished_hide_nothing_from_a_read_that_awaits_no_time(QueueMode mode, bool isGroup)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = isGroup ? queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true }) : queue.OpenConsumer<RawMessage>("all");

        LeaveUnfinishedRecords(queue);

        foreach (var expected in (string[])["published", "published", "published", "behind"])
        {
            Assert.True(await consumer.WaitToReadAsync(TimeSpan.Zero));
            Assert.Equal(expected, Read(consumer));
        }
    }

    private void LeaveUnfinishedRecords(MessageQueue queue)
    {
        for (var i = 0; i < 3; i++)
        {
            using var claimer = StartClaimer();
            claimer.Kill();
        }

        using var producer = queue.OpenProducer();
        producer.Publish("behind"u8);
    }

    private static List<string> ReadWithoutWaiting(MessageConsumer<RawMessage> consumer)
    {
        var messages = new List<string>();
        while (consumer.TryRead(out var delivery))
        {
            using (delivery)
            {
                messages.Add(System.Text.Encoding.UTF8.GetString(delivery.Message.Bytes));
                delivery.Commit();
            }
        }

        return messages;
    }

    private Peer StartClaimer()
    {
        var claimer = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue);
        Assert.Equal("ready", claimer.Hear());
        return claimer;
    }

    /// <summary>Starts a consumer of the name "other" that stops at a step, and waits until it has.</summary>
    private Peer StartStopping(FaultPoint point, string part, params ReadOnlySpan<string> arguments)
    {
        var peer = Peer.StartWithFaults(new FaultOrder(point, 1, FaultAction.Stop).ToString(), part, [_directory.Queue, "other", .. arguments]);
        peer.AwaitStop();
        return peer;
    }

    private static string Read(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery, Generous));
        using (delivery)
        {
            var text = System.Text.Encoding.UTF8.GetString(delivery.Message.Bytes);
            delivery.Commit();
            return text;
        }
    }
}
