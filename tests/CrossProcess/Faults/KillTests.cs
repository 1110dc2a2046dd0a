using System.Globalization;

namespace BufferedMessages.CrossProcess;

/// <summary>Kills producers and consumers at random moments, again and again, and checks every message.</summary>
public sealed class KillTests : IDisposable
{
    private const int Rounds = 40;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Killing_the_producer_at_any_moment_loses_no_published_message_and_keeps_the_order()
    {
        var random = new Random(20_260_731);
        using var notes = new Notes(_directory.Notes);
        using var queue = Parts.Open(_directory.Queue);
        using var consumer = queue.OpenConsumer<RawMessage>("checker");
        var checking = new CheckingThread(consumer, lastGeneration: Rounds);
        for (var generation = 0; generation < Rounds; generation++)
        {
            using var producer = Peer.Start(nameof(Parts.Produce), _directory.Queue, _directory.Notes, generation.ToString(CultureInfo.InvariantCulture));

            // Some die while they start, open and take over; most while they publish.
            if (generation % 4 != 0)
            {
                Assert.Equal("ready", producer.Hear());
            }

            Thread.Sleep(random.Next(generation % 4 == 0 ? 150 : 40));
            producer.Kill();
        }

        using (var last = queue.OpenProducer())
        {
            var message = new byte[NumberedMessage.MaxBytes];
            last.Publish(message.AsSpan(0, NumberedMessage.Write(message, Rounds, 0)));
        }

        var counts = checking.Join(Generous);
        for (var generation = 0; generation < Rounds; generation++)
        {
            // The last message of a killed producer may be published and not yet noted.
            Assert.InRange(counts.GetValueOrDefault(generation), notes[generation], notes[generation] + 1);
        }

        Assert.True(counts.Values.Sum() > Rounds, "Hardly anything was published: the test tests nothing.");
    }

    [Theory]
    [InlineData("leases")]
    [InlineData("loop")]
    public void Killing_the_consumer_at_any_moment_loses_nothing_and_repeats_nothing_committed(string way)
    {
        var random = new Random(20_260_801);
        using var notes = new Notes(_directory.Notes);
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        var message = new byte[NumberedMessage.MaxBytes];
        var published = 0;
        for (var round = 0; round < Rounds / 2; round++)
        {
            using var consumer = Peer.Start(nameof(Parts.Consume), _directory.Queue, "killed", _directory.Notes, way);
            if (round % 4 != 0)
            {
                Assert.Equal("ready", consumer.Hear());
            }

            var end = Environment.TickCount64 + random.Next(round % 4 == 0 ? 150 : 40);
            while (Environment.TickCount64 < end && published - notes[ConsumerNotes.Delivered] < 100_000)
            {
                producer.Publish(message.AsSpan(0, NumberedMessage.Write(message, 0, published++)));
            }

            consumer.Kill();
            Assert.Equal(0, notes[ConsumerNotes.Fault]);
        }

        using var successor = queue.OpenConsumer<RawMessage>("killed");
        var expected = -1L;
        while (successor.TryRead(out var delivery))
        {
            ConsumerNotes.Deliver(notes, delivery.Message.Bytes, ref expected);
            delivery.Commit();
        }

        Assert.Equal(0, notes[ConsumerNotes.Fault]);
        Assert.Equal(published, notes[ConsumerNotes.Delivered]);
        Assert.True(notes[ConsumerNotes.Committed] > Rounds, "Hardly anything was read by those who were killed: the test tests nothing.");
    }

    [Fact]
    public void Killing_creators_leaves_queues_that_can_be_opened_or_created()
    {
        var random = new Random(20_260_802);
        for (var round = 0; round < Rounds / 2; round++)
        {
            Directory.CreateDirectory(_directory.Queue);
            using (var creator = Peer.Start(nameof(Parts.CreateQueues), _directory.Queue))
            {
                Assert.Equal("ready", creator.Hear());
                Assert.True(SpinWait.SpinUntil(() => Directory.EnumerateDirectories(_directory.Queue).Any(), Generous));
                Thread.Sleep(random.Next(20));
                creator.Kill();
            }

            // All but the last one are whole; at the last one the creator was killed. Their names are numbers.
            foreach (var directory in Directory.GetDirectories(_directory.Queue).OrderByDescending(static path => path.Length).ThenByDescending(static path => path, StringComparer.Ordinal).Take(3))
            {
                using var queue = Parts.Open(directory);
                using var producer = queue.OpenProducer();
                using var consumer = queue.OpenConsumer<RawMessage>("all");
                producer.Publish("works"u8);
                Assert.Equal("works"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
            }

            Directory.Delete(_directory.Queue, recursive: true);
        }
    }

    [Fact]
    public void The_claim_of_a_killed_producer_is_skipped_and_the_queue_goes_on()
    {
        using var queue = Parts.Open(_directory.Queue);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var claimer = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue))
        {
            Assert.Equal("ready", claimer.Hear());
            claimer.Kill();
        }

        using var producer = queue.OpenProducer();
        producer.Publish("after"u8);

        foreach (var expected in new[] { "published"u8.ToArray(), "after"u8.ToArray() })
        {
            Assert.True(consumer.TryRead(out var delivery, Generous));
            Assert.Equal(expected, delivery.Message.Bytes);
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
    }
}
