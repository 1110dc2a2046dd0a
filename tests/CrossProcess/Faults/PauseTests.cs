using BufferedMessages.Queues;
using System.Globalization;

namespace BufferedMessages.CrossProcess;

/// <summary>
/// A process that is stopped is never robbed, however long. It is stopped for two seconds, in which others look a hundred times whether it is dead,
/// or for as many as the variable BUFFEREDMESSAGES_PAUSE_SECONDS says.
/// </summary>
public sealed class PauseTests : IDisposable
{
    private const string Variable = "BUFFEREDMESSAGES_PAUSE_SECONDS";
    private const int MessageBytes = 10_000;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } seconds ? double.Parse(seconds, CultureInfo.InvariantCulture) : 2);

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_producer_stopped_within_a_record_is_waited_for_and_nothing_is_lost(QueueMode mode)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        using var claimer = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue);
        Assert.Equal("ready", claimer.Hear());
        claimer.Pause();
        using var producer = queue.OpenProducer();
        producer.Publish("after"u8);
        MessageConsumer<RawMessage>[] readers = [consumer, member];
        Assert.All(readers, reader => Assert.Equal("published"u8.ToArray(), reader.ReadCopy(Generous)));

        // All the time they look whether it is dead.
        Task.WaitAll(readers.Select(reader => Task.Factory.StartNew(() => Assert.Null(reader.ReadCopy(Pause)), TaskCreationOptions.LongRunning)).ToArray());

        queue.OpenProducer().Dispose();
        claimer.Resume();
        claimer.Tell();
        foreach (var reader in readers)
        {
            Assert.Equal(Enumerable.Repeat((byte)0xFF, 1_000), reader.ReadCopy(Generous));
            Assert.Equal("after"u8.ToArray(), reader.ReadCopy(Generous));
        }
    }

    [UnixFact]
    public void The_only_producer_stopped_within_a_record_is_waited_for_and_no_other_takes_its_place()
    {
        Parts.CreateForOneProducer(_directory.Queue);
        using var queue = Parts.Open(_directory.Queue);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var claimer = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue);
        Assert.Equal("ready", claimer.Hear());
        claimer.Pause();
        Assert.Equal("published"u8.ToArray(), consumer.ReadCopy(Generous));

        Assert.Null(consumer.ReadCopy(Pause));
        Assert.Equal(claimer.ProcessId, Assert.Throws<QueueInUseException>(() => queue.OpenProducer()).ProcessId);

        claimer.Resume();
        claimer.Tell();
        Assert.Equal(Enumerable.Repeat((byte)0xFF, 1_000), consumer.ReadCopy(Generous));
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_member_stopped_with_a_message_keeps_it_and_the_others_go_on(QueueMode mode)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        using var producer = queue.OpenProducer();
        producer.Publish("first"u8);
        using var holder = Peer.Start(nameof(Parts.HoldMessage), _directory.Queue);
        Assert.Equal("ready", holder.Hear());
        holder.Pause();
        using var other = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var message = new byte[MessageBytes];
        var published = 0;
        while (published < 2 * QueueGeometry.DefaultSlots * Parts.SegmentBytes / MessageBytes && producer.TryPublish(message, out _))
        {
            published++;
        }

        for (var i = 0; i < published; i++)
        {
            Assert.Equal(MessageBytes, other.ReadCopy(Generous)!.Length);
        }

        // A new member does not find the message in a seat, nor do the others adopt it; and the segment in which it is stays.
        using var newcomer = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var looks = new[] { other, newcomer }.Select(member => Task.Factory.StartNew(() => Assert.Null(member.ReadCopy(Pause)), TaskCreationOptions.LongRunning)).ToList();
        if (mode == QueueMode.Bounded)
        {
            Assert.False(producer.TryPublish(message, out _, Pause));
        }

        Task.WaitAll([.. looks]);
        holder.Resume();
        holder.Tell();
        Assert.Equal("first new", holder.Hear());
        Assert.Equal("committed", holder.Hear());
        Assert.True(producer.TryPublish("last"u8, out _, Generous));
        Assert.Equal("last"u8.ToArray(), other.ReadCopy(Generous));
    }
}
