using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A group after a crash of the machine: no message that a member had taken is lost, and those that come again are flagged.</summary>
public sealed class GroupCrashTests : IDisposable
{
    private const string Group = "group";
    private const int PublishedLater = 77;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(2, new[] { PublishedLater })]
    [InlineData(6, new[] { 5, PublishedLater })]
    public void Messages_that_a_member_had_taken_are_given_again_before_the_end_and_dropped_after_it(int endMessage, int[] expected)
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var member = OpenMember(queue);
        var positions = Payload.PublishNumbers(producer, 0, 10);
        Handle(member, 5);
        Assert.True(member.TryRead(out var taken));
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        taken.Dispose();
        QueueDirectory.Damage(crashed.SegmentFile(0), positions[endMessage], new byte[QueueDirectory.NumberRecord]);

        using var again = Open(crashed);
        using var successor = again.OpenProducer();
        successor.Publish(Payload.Of(PublishedLater));

        Assert.Equal(expected, ReadAgain(again, handled: 5));
    }

    [Fact]
    public void A_message_whose_announcement_is_older_on_the_disk_than_its_claim_is_given_again()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var member = OpenMember(queue);
        Payload.PublishNumbers(producer, 0, 10);
        Handle(member, 5);
        using var before = _directory.Crash();
        Assert.True(member.TryRead(out var taken));
        using var crashed = MachineCrash.Of(_directory);
        taken.Dispose();
        var slots = File.ReadAllBytes(before.ControlFile)[(int)ControlMap.ParticipantsOffset..(int)ControlMap.CursorsOffset];
        QueueDirectory.Damage(crashed.ControlFile, ControlMap.ParticipantsOffset, slots);

        using var again = Open(crashed);

        Assert.Equal([5, 6, 7, 8, 9], ReadAgain(again, handled: 5));
    }

    // The cursor on the disk is that from before the last messages were handled.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Messages_that_were_handled_after_the_cursor_on_the_disk_are_flagged(bool isShared)
    {
        var options = new ConsumerOptions { Shared = isShared };
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("name", options);
        Payload.PublishNumbers(producer, 0, 10);
        Handle(consumer, 3);
        using var before = _directory.Crash();
        Handle(consumer, 4);
        using var crashed = MachineCrash.Of(_directory);
        var cursors = File.ReadAllBytes(before.ControlFile)[ControlMap.CursorsOffset..(ControlMap.CursorsOffset + CursorRecord.Bytes)];
        QueueDirectory.Damage(crashed.ControlFile, ControlMap.CursorsOffset, cursors);

        using var again = Open(crashed);
        using var heir = again.OpenConsumer<RawMessage>("name", options);

        var flagged = new List<int>();
        while (heir.TryRead(out var delivery))
        {
            Assert.True(delivery.IsRedelivery);
            flagged.Add(Payload.Number(delivery.Message.Bytes));
            delivery.Commit();
        }

        Assert.Equal([3, 4, 5, 6, 7, 8, 9], flagged.Where(static number => number >= 3));
    }

    [Fact]
    public void A_group_whose_members_are_closed_gets_nothing_again()
    {
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        using (var member = OpenMember(queue))
        {
            Payload.PublishNumbers(producer, 0, 10);
            Handle(member, 5);
        }

        using var crashed = MachineCrash.Of(_directory);
        using var again = Open(crashed);
        using var heir = OpenMember(again);

        Assert.Equal([5, 6, 7, 8, 9], Payload.ReadNumbers(heir));
    }

    [Fact]
    public void A_group_that_waits_gets_nothing_again()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var member = OpenMember(queue);
        Payload.PublishNumbers(producer, 0, 10);
        Handle(member, 10);
        Assert.False(member.TryRead(out _, TimeSpan.FromSeconds(1)));
        using var crashed = MachineCrash.Of(_directory);

        using var again = Open(crashed);
        using var heir = OpenMember(again);

        Assert.False(heir.TryRead(out _));
    }

    [Fact]
    public void A_group_that_was_moved_back_goes_on_there()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var member = OpenMember(queue);
        var positions = Payload.PublishNumbers(producer, 0, 10);
        Handle(member, 10);
        Assert.False(member.TryRead(out _, TimeSpan.FromSeconds(1)));
        member.Seek(QueueStart.At(positions[3]));
        Assert.True(member.TryRead(out var taken));
        using var crashed = MachineCrash.Of(_directory);
        taken.Dispose();

        using var again = Open(crashed);

        Assert.Equal([3, 4, 5, 6, 7, 8, 9], ReadAgain(again, handled: 3));
    }

    // Another member had looked before the group was moved back, and stored its position after that.
    [Fact]
    public void A_group_that_was_moved_back_loses_no_message_if_the_position_where_it_was_done_is_from_before()
    {
        const int DonePositionOffset = 152;
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var member = OpenMember(queue);
        var positions = Payload.PublishNumbers(producer, 0, 10);
        Handle(member, 8);
        member.Seek(QueueStart.At(positions[3]));
        Assert.True(member.TryRead(out var taken));
        using var crashed = MachineCrash.Of(_directory);
        taken.Dispose();
        QueueDirectory.Damage(crashed.ControlFile, ControlMap.CursorsOffset + DonePositionOffset, BitConverter.GetBytes(positions[8]));

        using var again = Open(crashed);

        Assert.Equal([3, 4, 5, 6, 7, 8, 9], ReadAgain(again, handled: 3));
    }

    private static void Handle(MessageConsumer<RawMessage> consumer, int count)
    {
        for (var number = 0; number < count; number++)
        {
            Assert.True(consumer.TryRead(out var done));
            done.Commit();
        }
    }

    /// <summary>Reads everything that the group gets. Messages that were handled lately may come again. All that were published before the crash are flagged.</summary>
    /// <returns>The numbers of the others, in order.</returns>
    private static List<int> ReadAgain(MessageQueue queue, int handled)
    {
        using var heir = OpenMember(queue);
        var numbers = new List<int>();
        while (heir.TryRead(out var delivery))
        {
            var number = Payload.Number(delivery.Message.Bytes);
            Assert.Equal(number != PublishedLater, delivery.IsRedelivery);
            if (number >= handled)
            {
                numbers.Add(number);
            }

            delivery.Commit();
        }

        return numbers;
    }

    private static MessageQueue Open(QueueDirectory directory) => MessageQueue.Open(
        directory.Path, new MessageQueueOptions { Mode = QueueMode.Durable, SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval });

    private static MessageConsumer<RawMessage> OpenMember(MessageQueue queue) => queue.OpenConsumer<RawMessage>(Group, new() { Shared = true });
}
