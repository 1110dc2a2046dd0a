using BufferedMessages.Queues;

namespace BufferedMessages.Hosting.Tests;

public sealed class DeadLetterQueueTests : IDisposable
{
    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public void A_queue_without_dead_letters_has_none()
    {
        using (MessageQueue.Open(_test.Orders))
        {
        }

        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Empty(letters.List());
        Assert.Equal((0, 0, false, false), (letters.RequeueAll(), letters.DropAll(), letters.Requeue(0), letters.Drop(0)));
        Assert.Empty(DeadLetterQueue.ListHandlers(_test.Orders));
        letters.Dispose();
        Assert.Throws<ObjectDisposedException>(() => letters.List());
    }

    [Fact]
    public void A_bare_name_is_refused_as_the_path_of_a_queue()
    {
        Assert.Throws<ArgumentException>(() => DeadLetterQueue.Open("orders", "shipping"));
        Assert.Throws<ArgumentException>(() => DeadLetterQueue.ListHandlers("orders"));
    }

    [Fact]
    public void There_are_no_dead_letters_without_a_queue() => Assert.Throws<FileNotFoundException>(() => DeadLetterQueue.Open(_test.Orders, "shipping"));

    [Fact]
    public async Task A_dead_letter_in_the_middle_is_dropped_and_the_others_stay()
    {
        await FailAsync(1, 2, 3);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var all = letters.List();
        Assert.Equal(["shipping"], DeadLetterQueue.ListHandlers(_test.Orders));

        Assert.True(letters.Drop(all[1].Position));
        Assert.False(letters.Drop(all[1].Position));
        Assert.Equal([all[0].Position, all[2].Position], letters.List().Select(static letter => letter.Position));
        Assert.True(letters.Drop(all[0].Position));
        Assert.Equal([all[2].Position], letters.List().Select(static letter => letter.Position));
        Assert.Equal(1, letters.DropAll());
        Assert.Empty(letters.List());
        Assert.False(File.Exists(Path.Combine(_test.Orders, "dead", "shipping.removed")));
    }

    [Fact]
    public async Task A_requeued_message_is_handled_as_a_new_one()
    {
        await FailAsync(1, 2, 3);
        using (var letters = DeadLetterQueue.Open(_test.Orders, "shipping"))
        {
            var second = letters.List()[1];
            Assert.True(letters.Requeue(second.Position));
            Assert.Equal(2, letters.List().Count);
        }

        var attempts = new List<(long, int, bool, int)>();
        _test.Desk.Work = (id, context, stop) =>
        {
            attempts.Add((id, context.Attempt, context.IsRedelivery, context.Properties.Attempts));
            Assert.NotNull(context.Properties.Source);
            Assert.False(context.Properties.TryGetHeader("exception", out _));
            return ValueTask.CompletedTask;
        };
        var host = await _test.StartAsync(static handler => handler.RetryDelays = []);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        Assert.Equal([(2L, 1, false, 0)], attempts);
    }

    [Fact]
    public async Task All_are_requeued_in_order_and_a_failure_makes_another_dead_letter()
    {
        await FailAsync(1, 2, 3);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Equal(3, letters.RequeueAll());
        Assert.Empty(letters.List());

        _test.Desk.Begun.Clear();
        await FailAsync();
        await TestHost.UntilAsync(() => letters.List().Count == 3, "three dead letters again");
        Assert.Equal([1L, 2, 3], _test.Desk.Begun);
    }

    [Fact]
    public async Task Old_dead_letters_are_left_out_on_request()
    {
        await FailAsync(1);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");

        Assert.Single(letters.List(DateTimeOffset.UtcNow.AddHours(-1)));
        Assert.Empty(letters.List(DateTimeOffset.UtcNow.AddHours(1)));
    }

    [Fact]
    public async Task Dead_letters_are_listed_while_their_segments_are_deleted()
    {
        const int removals = 50;
        using var test = new TestHost(isInMemory: true);
        MessageQueue.Open(test.Orders).Dispose();
        using var letters = DeadLetterQueue.Open(test.Orders, "shipping");
        using var queue = MessageQueue.Open(letters.Path, new MessageQueueOptions { SegmentBytes = 64 * 1024, Retention = new QueueRetention { DeleteRead = true } });
        using var producer = queue.OpenProducer();
        var removing = Task.Run(() =>
        {
            using var other = DeadLetterQueue.Open(test.Orders, "shipping");
            for (var i = 0; i < removals; i++)
            {
                for (var letter = 0; letter < 8; letter++)
                {
                    producer.Publish(new byte[40 * 1024]);
                }

                other.DropAll();
            }
        });
        try
        {
            while (!removing.IsCompleted)
            {
                var positions = letters.List().Select(static letter => letter.Position);
                Assert.Equal(positions.Distinct().Order(), positions);
            }
        }
        finally
        {
            await removing;
        }
    }

    [Fact]
    public async Task A_dead_letter_whose_removal_was_cut_off_by_a_crash_is_still_there()
    {
        await FailAsync(1, 2);
        await File.WriteAllBytesAsync(Path.Combine(_test.Orders, "dead", "shipping.removed"), new byte[40]);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");

        Assert.Equal(2, letters.List().Count);
        Assert.True(letters.Drop(letters.List()[1].Position));
        Assert.Single(letters.List());
    }

    [Fact]
    public async Task A_dead_letter_at_the_place_of_one_that_was_removed_and_then_cut_off_is_there()
    {
        await FailAsync(1, 2);
        var path = "";
        var last = 0L;
        using (var letters = DeadLetterQueue.Open(_test.Orders, "shipping"))
        {
            (path, last) = (letters.Path, letters.List()[1].Position);
            Assert.True(letters.Drop(last));
        }

        CutOff(path, last);
        await FailAsync(3);

        using var again = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Equal([again.List()[0].Position, last], again.List().Select(static letter => letter.Position));
    }

    [Fact]
    public async Task A_dead_letter_whose_removal_cannot_be_noted_is_not_published()
    {
        await FailAsync(1, 2);
        var notes = Path.Combine(_test.Orders, "dead", "shipping.removed");
        File.CreateSymbolicLink(notes, Path.Combine(_test.Root, "no-folder", "notes"));
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        using var queue = MessageQueue.OpenExisting(_test.Orders);
        var before = queue.PublishedPosition;

        Assert.ThrowsAny<IOException>(() => letters.Requeue(letters.List()[1].Position));

        Assert.Equal((2, before), (letters.List().Count, queue.PublishedPosition));
        Assert.Equal(2, letters.RequeueAll());
        Assert.Empty(letters.List());
    }

    [Fact]
    public async Task Dead_letters_that_cannot_be_read_are_not_said_to_be_missing()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        await FailAsync(1);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        using (new HiddenPath(Path.Combine(_test.Orders, "dead")))
        {
            Assert.ThrowsAny<IOException>(() => DeadLetterQueue.ListHandlers(_test.Orders));
            Assert.ThrowsAny<IOException>(() => letters.List());
        }

        var control = Path.Combine(letters.Path, "control");
        using (new HiddenPath(control))
        {
            Assert.Equal(["shipping"], DeadLetterQueue.ListHandlers(_test.Orders));
            Assert.ThrowsAny<IOException>(() => letters.DropAll());
        }

        await File.WriteAllBytesAsync(control, new byte[new FileInfo(control).Length]);
        Assert.Equal(["shipping"], DeadLetterQueue.ListHandlers(_test.Orders));
        Assert.Throws<QueueCorruptedException>(() => letters.List());
    }

    [Fact]
    public async Task Dead_letters_can_be_removed_again_after_a_removal_that_failed_or_met_a_new_one()
    {
        await FailAsync(1, 2);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        using var dead = MessageQueue.OpenExisting(letters.Path);
        using var producer = dead.OpenProducer(dead.Schemas[0]);
        var (payload, first) = (Payload(dead), letters.List()[0].Position);

        Assert.Throws<TimeoutException>(() => letters.Remove(static _ => throw new TimeoutException(), publishes: false));
        Assert.Equal(1, letters.Remove(position => position == first && producer.Publish(payload) > 0, publishes: false));

        Assert.Equal(2, letters.List().Count);
        Assert.Equal(2, letters.DropAll());

        static byte[] Payload(MessageQueue queue)
        {
            using var reader = queue.OpenReader<RawMessage>();
            return reader.TryRead(out var delivery) ? delivery.Message.Bytes.ToArray() : [];
        }
    }

    [Fact]
    public void A_requeued_message_is_on_the_disk_before_its_dead_letter_is_removed()
    {
        using var queue = MessageQueue.Open(
            _test.Orders,
            new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1), FlushMessages = int.MaxValue });
        using (var store = new DeadLetterStore(queue, "shipping"))
        {
            store.Add("one"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
            store.Add("two"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
        }

        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var isOnDisk = false;

        // The second one is chosen when the first one is removed.
        var removed = letters.Remove(
            _ =>
            {
                isOnDisk = queue.DurablePosition == queue.PublishedPosition;
                return true;
            },
            publishes: true);

        Assert.Equal(2, removed);
        Assert.True(isOnDisk);
    }

    [Fact]
    public void A_wait_for_the_disk_is_not_one_for_room_and_can_be_cancelled_only_while_another_producer_holds_it_up()
    {
        using var queue = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1) });
        using (var store = new DeadLetterStore(queue, "shipping"))
        {
            store.Add("one"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
        }

        // The message after one that is being written is published, and not on the disk.
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(8);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();

        Assert.ThrowsAny<OperationCanceledException>(() => letters.Remove(static _ => true, publishes: true, static () => throw new TimeoutException(), cancelled.Token));
        Assert.Single(letters.List());
        claim.Dispose();
        Assert.Equal(1, letters.Remove(static _ => true, publishes: true, awaitRoom: null, cancelled.Token));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_removal_is_on_the_disk_when_it_returns_or_a_later_one_fails(bool fails)
    {
        using var queue = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes });
        using (var store = new DeadLetterStore(queue, "shipping"))
        {
            store.Add("one"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
            store.Add("two"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
        }

        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        using var stored = MessageQueue.OpenExisting(letters.Path);
        Assert.Equal(0, stored.DurablePosition);

        var first = letters.List()[0].Position;
        var failure = Record.Exception(() => letters.Remove(position => !fails || position == first || Fail(), publishes: false));

        // The cursor is flushed with the letters.
        Assert.Equal(fails, failure is TimeoutException);
        Assert.Equal(stored.PublishedPosition, stored.DurablePosition);

        static bool Fail() => throw new TimeoutException();
    }

    [Fact]
    public void The_files_of_dead_letters_have_the_mode_of_the_queue()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        const UnixFileMode OfAll = (UnixFileMode)0x1B6;
        using var made = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes, FileMode = OfAll });

        // The options of a later process need not name the mode.
        using var queue = MessageQueue.Open(_test.Orders);
        using (var store = new DeadLetterStore(queue, "shipping"))
        {
            store.Add("one"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
            store.Add("two"u8, new MessageProperties(), source: default, attempts: 1, "No.", exception: null);
        }

        new AttemptNotes(queue, "shipping").Begin(queue.IdOf(0));
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.True(letters.Drop(letters.List()[1].Position));

        var entries = new DirectoryInfo(Path.GetDirectoryName(letters.Path)!).EnumerateFileSystemInfos("*", SearchOption.AllDirectories).Append(new DirectoryInfo(Path.GetDirectoryName(letters.Path)!));
        Assert.All(entries, static entry => Assert.Equal(entry is DirectoryInfo ? (UnixFileMode)0x1FF : OfAll, entry.UnixFileMode));
    }

    [Fact]
    public void A_dead_letter_whose_flush_failed_is_not_published_again_by_the_next_attempt()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var generous = TimeSpan.FromSeconds(60);
        using var queue = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = 1 << 16, Flush = FlushMode.EveryMessage });
        using var store = new DeadLetterStore(queue, "shipping");
        Add(default);
        using var letters = MessageQueue.OpenExisting(store.Directory);
        using var producer = letters.OpenProducer();

        // A flush waits for a message that is being written. In the meantime the segment of the letter after it is hidden.
        producer.Publish(new byte[60_000]);
        var claim = producer.Claim(20_000);
        var source = queue.IdOf(0);
        Exception? failure = null;
        var adding = new Thread(() => failure = Record.Exception(() => Add(source))) { IsBackground = true };
        adding.Start();
        Assert.True(SpinWait.SpinUntil(() => letters.GetStatistics().Producers.Sum(static one => one.Messages) == 3, generous));
        using (new HiddenPath(Directory.GetFiles(store.Directory, "*.segment").Order(StringComparer.Ordinal).Last()))
        {
            claim.Commit(1);
            Assert.True(adding.Join(generous));
        }

        Assert.IsType<FlushFailedException>(failure);
        Add(source);
        using var list = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Single(list.List(), letter => letter.Source == source);

        void Add(MessageId id) => store.Add(new byte[30_000], new MessageProperties(), id, attempts: 1, "No.", exception: null);
    }

    private static void CutOff(string path, long position)
    {
        var queue = QueueHandle.Open(path);
        try
        {
            QueueRepair.RunAlone(queue, QueueRepair.PlanCut(queue, position).Take);
        }
        finally
        {
            queue.Release();
        }
    }

    /// <summary>Publishes orders, and lets their handling and that of earlier ones fail.</summary>
    private async Task FailAsync(params long[] ids)
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        using var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (false, []));
        TestHost.Publish(host, ids);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters >= Math.Max(1, ids.Length), "the dead letters");
        await TestHost.UntilAsync(() => MessageQueue.OpenExisting(_test.Orders) is var queue && queue.GetStatistics().Consumers.Single().LagBytes == 0, "the end of the queue");
        await host.StopAsync();
    }
}
