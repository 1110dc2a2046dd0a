namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class GeometryTests : IDisposable
{
    private readonly QueueDirectory _durable = new(QueueMode.Durable, QueueProducers.Many);
    private readonly QueueDirectory _bounded = new(QueueMode.Bounded, QueueProducers.Many);

    public static TheoryData<string> WrongOptions => ["mode", "producers", "slots", "segment", "flush", "retention"];

    public void Dispose()
    {
        _durable.Dispose();
        _bounded.Dispose();
    }

    [Theory]
    [MemberData(nameof(WrongOptions))]
    public void An_option_that_differs_from_a_bounded_queue_is_refused_before_anything_is_touched(string option)
    {
        using (var queue = _bounded.Open(slots: 4))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("x"u8);
        }

        AssertRefused(_bounded, option switch
        {
            "mode" => new MessageQueueOptions { Mode = QueueMode.Durable },
            "producers" => new MessageQueueOptions { Producers = QueueProducers.Single },
            "slots" => new MessageQueueOptions { Slots = 8 },
            "segment" => new MessageQueueOptions { SegmentBytes = 1024 * 1024 },
            "flush" => new MessageQueueOptions { Flush = QueueFlush.EveryMessage },
            _ => new MessageQueueOptions { Retention = new QueueRetention { MaxBytes = 1 } },
        });
    }

    [Theory]
    [InlineData("mode")]
    [InlineData("producers")]
    [InlineData("slots")]
    [InlineData("segment")]
    [InlineData("flush")]
    public void An_option_that_differs_from_a_durable_queue_is_refused_before_anything_is_touched(string option)
    {
        using (var queue = _durable.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("x"u8);
        }

        AssertRefused(_durable, option switch
        {
            "mode" => new MessageQueueOptions { Mode = QueueMode.Bounded },
            "producers" => new MessageQueueOptions { Producers = QueueProducers.Single },
            "slots" => new MessageQueueOptions { Slots = 4 },
            "segment" => new MessageQueueOptions { SegmentBytes = 1024 * 1024 },
            _ => new MessageQueueOptions { Flush = QueueFlush.Interval },
        });
    }

    [Theory]
    [InlineData(QueueMode.Durable, true, false, false)]
    [InlineData(null, true, false, false)]
    [InlineData(QueueMode.Bounded, false, true, false)]
    [InlineData(QueueMode.Bounded, false, false, true)]
    public void Options_that_contradict_each_other_make_nothing(QueueMode? mode, bool hasSlots, bool isFlushed, bool hasRetention)
    {
        var options = new MessageQueueOptions
        {
            Mode = mode,
            Slots = hasSlots ? 4 : null,
            Flush = isFlushed ? QueueFlush.Interval : null,
            Retention = hasRetention ? new QueueRetention() : null,
        };

        Assert.Throws<ArgumentException>(() => MessageQueue.Open(_durable.Path, options));
        Assert.False(Directory.Exists(_durable.Path));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(257)]
    [InlineData(-4)]
    public void An_impossible_number_of_slots_is_refused(int slots) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessageQueueOptions { Slots = slots });

    [Fact]
    public void A_queue_that_exists_is_opened_without_any_option()
    {
        _bounded.Open(slots: 4).Dispose();

        using var queue = MessageQueue.Open(_bounded.Path);

        Assert.Equal(QueueMode.Bounded, queue.Mode);
        Assert.Equal(4, queue.GetStatistics().Slots);
    }

    [Theory]
    [InlineData(64 * 1024, 2)]
    [InlineData(64 * 1024, 256)]
    [InlineData(64 * 1024 * 1024, 2)]
    public void Small_and_large_slots_work(long segmentBytes, int slots)
    {
        using var queue = _bounded.Open(segmentBytes, slots);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer("all");
        var payload = new byte[Math.Min((segmentBytes / 2) - 16, 20_000_000)];
        var last = (slots * segmentBytes) + segmentBytes;
        for (var i = 0; ; i++)
        {
            payload[0] = payload[^1] = (byte)i;
            var position = producer.Publish(payload);
            Assert.True(consumer.TryRead(out var lease));
            Assert.Equal(payload.Length, lease.Payload.Length);
            Assert.Equal((byte)i, lease.Payload[0]);
            Assert.Equal((byte)i, lease.Payload[^1]);
            lease.Commit();
            if (position > last)
            {
                break;
            }
        }
    }

    [Fact]
    public void A_bounded_queue_of_a_bare_name_lives_in_memory_where_the_machine_has_such_a_place()
    {
        var name = "test-" + Guid.NewGuid().ToString("N");
        var expected = Path.Combine(Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), "bufferedmessages-" + name);
        try
        {
            using var queue = MessageQueue.Open(name, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment });

            Assert.Equal(expected, queue.Directory);
            Assert.True(Directory.Exists(expected));
        }
        finally
        {
            Directory.Delete(expected, recursive: true);
        }
    }

    [Theory]
    [InlineData("orders", null)]
    [InlineData("orders", QueueMode.Durable)]
    [InlineData("./orders", QueueMode.Bounded)]
    [InlineData("a/orders", QueueMode.Bounded)]
    [InlineData("..", QueueMode.Bounded)]
    [InlineData(".", QueueMode.Bounded)]
    public void Everything_else_lives_where_the_user_says(string directory, QueueMode? mode) =>
        Assert.Equal(Path.GetFullPath(directory), BufferedMessages.Queues.QueueLocation.Resolve(directory, mode));

    private static void AssertRefused(QueueDirectory directory, MessageQueueOptions options)
    {
        var before = Contents(directory);

        var exception = Assert.Throws<ArgumentException>(() => MessageQueue.Open(directory.Path, options));

        Assert.Contains(directory.Path, exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, Contents(directory));
    }

    private static List<string> Contents(QueueDirectory directory) =>
        [.. from file in Directory.EnumerateFiles(directory.Path, "*", SearchOption.AllDirectories)
            orderby file
            select $"{file} {Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(file)))}"];
}
