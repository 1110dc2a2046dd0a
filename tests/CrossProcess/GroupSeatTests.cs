using System.Globalization;
using BufferedMessages.Segments;
using static BufferedMessages.Segments.FaultPoint;

namespace BufferedMessages.CrossProcess;

/// <summary>Members of a group are killed with a message in their hands, and others take their seats over.</summary>
public sealed class GroupSeatTests : IDisposable
{
    private const int Seats = 255;
    private const string Patient = "30000";
    private const string Brief = "200";

    private static readonly FaultPoint[] PointsBeforeDone =
        [MembershipLocked, SlotLeased, SlotTakenOver, SlotSigned, TakeoverLeased, TakeoverDelivering, MidRead, MemberFinishing];

    private static readonly FaultPoint[] PointsBehindDone = [TakeoverCleared, MemberFinished, Leaving, OwnerCleared, RoleCleared];
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(200);

    private readonly QueueDirectory _directory = new();
    private readonly List<Peer> _peers = [];

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _directory.Dispose();
    }

    [Theory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_group_whose_killed_members_have_all_seats_can_be_opened_and_gets_their_messages(QueueMode mode)
    {
        using var queue = Parts.Open(_directory.Queue, mode);
        Publish(queue, Enumerable.Range(0, Seats).Select(number => number.ToString(CultureInfo.InvariantCulture)));
        KillHolders(mode, Seats);

        Assert.Contains($"'{Parts.Group}'", Assert.Throws<InvalidOperationException>(() => queue.OpenProducer()).Message, StringComparison.Ordinal);
        using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        var expected = Enumerable.Range(0, Seats).Select(number => string.Create(CultureInfo.InvariantCulture, $"{number} again"));
        Assert.Equal(expected.Order(StringComparer.Ordinal), Enumerable.Range(0, Seats).Select(_ => Read(member)).Order(StringComparer.Ordinal));
        Assert.False(member.TryRead(out _, Moment));
        queue.OpenProducer().Dispose();
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_member_killed_at_any_step_of_taking_a_seat_over_leaves_the_seat_and_the_message_to_the_next(QueueMode mode)
    {
        foreach (var point in PointsBeforeDone)
        {
            using var queue = KillSuccessor(mode, point);
            using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });

            Assert.Equal(["first again", "second new"], ReadAll(member));
            Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members);
        }
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_member_killed_after_the_commit_of_a_message_it_took_over_does_not_leave_it(QueueMode mode)
    {
        foreach (var point in PointsBehindDone)
        {
            using var queue = KillSuccessor(mode, point);
            using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });

            Assert.Equal(["second new"], ReadAll(member));
        }
    }

    [UnixTheory]
    [InlineData(nameof(MemberAnnounced))]
    [InlineData(nameof(MemberConfirmed))]
    public void The_slot_of_a_member_killed_before_it_had_taken_its_message_is_free_for_every_participant(string point)
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        Publish(queue, ["first"]);
        KillReader(_directory.Queue, QueueMode.Bounded, Enum.Parse<FaultPoint>(point));

        var producers = Enumerable.Range(0, Seats).Select(_ => queue.OpenProducer()).ToList();
        producers.ForEach(producer => producer.Dispose());

        using var member = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        Assert.Equal(["first new"], ReadAll(member));
    }

    [Fact]
    public void Of_members_that_open_at_once_one_gets_the_message_of_a_killed_one()
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        Publish(queue, ["first"]);
        KillHolders(QueueMode.Bounded, 1);
        _peers.AddRange(Enumerable.Range(0, 6).Select(_ => StartReader("", Brief)));
        foreach (var step in new[] { "ready", "open" })
        {
            _peers.ForEach(peer => Assert.Equal(step, peer.Hear()));
            _peers.ForEach(peer => peer.Tell());
        }

        var answers = _peers.ConvertAll(static peer => peer.Hear());

        Assert.Equal(["first again", .. Enumerable.Repeat("nothing", _peers.Count - 1)], answers.Order(StringComparer.Ordinal));
    }

    [UnixFact]
    public void A_living_member_that_is_adopting_a_message_keeps_it_when_another_one_opens()
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        using var living = StartReader(new FaultOrder(TakeoverLeased, 1, FaultAction.Stop).ToString(), Patient);
        Step(living, "ready");
        Assert.Equal("open", living.Hear());
        Publish(queue, ["first"]);
        KillHolders(QueueMode.Bounded, 1);
        living.Tell();
        living.AwaitStop();

        using var opener = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });

        Assert.False(opener.TryRead(out _, Moment));
        living.Resume();
        Step(living, "first again");
        Assert.Equal("closed", living.Hear());
        Assert.False(opener.TryRead(out _, Moment));
    }

    [UnixFact]
    public void A_member_that_is_taking_a_seat_over_keeps_its_message_when_a_living_one_looks()
    {
        using var queue = Parts.Open(_directory.Queue, QueueMode.Bounded);
        using var living = queue.OpenConsumer<RawMessage>(Parts.Group, new() { Shared = true });
        Publish(queue, ["first"]);
        KillHolders(QueueMode.Bounded, 1);
        using var opener = StartReader(new FaultOrder(SlotTakenOver, 1, FaultAction.Stop).ToString(), Brief);
        Step(opener, "ready");
        opener.AwaitStop();

        Assert.False(living.TryRead(out _, Moment));
        opener.Resume();
        Step(opener, "open");
        Assert.Equal("first again", opener.Hear());
        Assert.False(living.TryRead(out _, Moment));
        opener.Tell();
        Assert.Equal("closed", opener.Hear());
        Assert.False(living.TryRead(out _, Moment));
    }

    private Peer StartReader(string orders, string milliseconds) =>
        Peer.StartWithFaults(orders, nameof(Parts.ReadAsMember), _directory.Queue, nameof(QueueMode.Bounded), milliseconds);

    private static void Step(Peer peer, string line)
    {
        Assert.Equal(line, peer.Hear());
        peer.Tell();
    }

    /// <summary>Kills a process whose members have a message each.</summary>
    private void KillHolders(QueueMode mode, int count, string? directory = null)
    {
        var members = count.ToString(CultureInfo.InvariantCulture);
        using var holders = Peer.Start(nameof(Parts.TakeMessages), directory ?? _directory.Queue, mode.ToString(), members);
        Assert.Equal(members, holders.Hear());
        holders.Kill();
    }

    /// <summary>Kills a member that has the first of two messages, and then the one that takes its seat over, at a step.</summary>
    private MessageQueue KillSuccessor(QueueMode mode, FaultPoint point)
    {
        var directory = $"{_directory.Queue}-{point}";
        var queue = Parts.Open(directory, mode);
        Publish(queue, ["first", "second"]);
        KillHolders(mode, 1, directory);
        KillReader(directory, mode, point);
        return queue;
    }

    /// <summary>Lets a member read, and die at a step.</summary>
    private static void KillReader(string directory, QueueMode mode, FaultPoint point)
    {
        using var reader = Peer.StartWithFaults(new FaultOrder(point, 1, FaultAction.Kill).ToString(), nameof(Parts.ReadAsMember), directory, mode.ToString(), Patient);
        reader.Tell(times: 3);
        Assert.Equal("ready", reader.Hear());
        for (var line = reader.Hear(); line is not null; line = reader.Hear())
        {
            Assert.False(line == "closed", $"The member did not come to {point}.");
        }
    }

    private static void Publish(MessageQueue queue, IEnumerable<string> messages)
    {
        using var producer = queue.OpenProducer();
        foreach (var message in messages)
        {
            producer.Publish(System.Text.Encoding.UTF8.GetBytes(message));
        }
    }

    private static string Read(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery, Generous));
        using (delivery)
        {
            var read = Parts.Describe(delivery);
            delivery.Commit();
            return read;
        }
    }

    private static List<string> ReadAll(MessageConsumer<RawMessage> consumer)
    {
        var read = new List<string>();
        while (consumer.TryRead(out var delivery, Moment))
        {
            using (delivery)
            {
                read.Add(Parts.Describe(delivery));
                delivery.Commit();
            }
        }

        return read;
    }
}
