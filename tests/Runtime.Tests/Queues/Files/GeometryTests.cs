namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class GeometryTests : IDisposable
{
    private readonly QueueDirectory _durable = new(QueueMode.Durable, ProducerMode.Multiple);
    private readonly QueueDirectory _bounded = new(QueueMode.Bounded, ProducerMode.Multiple);

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
            "producers" => new MessageQueueOptions { Producers = ProducerMode.Single },
            "slots" => new MessageQueueOptions { Slots = 8 },
            "segment" => new MessageQueueOptions { SegmentBytes = 1024 * 1024 },
            "flush" => new MessageQueueOptions { Flush = FlushMode.EveryMessage },
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
            "producers" => new MessageQueueOptions { Producers = ProducerMode.Single },
            "slots" => new MessageQueueOptions { Slots = 4 },
            "segment" => new MessageQueueOptions { SegmentBytes = 1024 * 1024 },
            _ => new MessageQueueOptions { Flush = FlushMode.Interval },
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
            Flush = isFlushed ? FlushMode.Interval : null,
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
        Assert.Throws<ArgumentOutOfRangeException>(() => MessageQueue.Open(_bounded.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, Slots = slots }));

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
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var payload = new byte[Math.Min((segmentBytes / 2) - 16, 20_000_000)];
        var last = (slots * segmentBytes) + segmentBytes;
        for (var i = 0; ; i++)
        {
            payload[0] = payload[^1] = (byte)i;
            var position = producer.Publish(payload);
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(payload.Length, delivery.Message.Bytes.Length);
            Assert.Equal((byte)i, delivery.Message.Bytes[0]);
            Assert.Equal((byte)i, delivery.Message.Bytes[^1]);
            delivery.Commit();
            if (position > last)
            {
                break;
            }
        }
    }

    [Fact]
    public void A_queue_of_a_name_lives_in_memory_where_the_machine_has_such_a_place_and_is_bounded_by_default()
    {
        var name = "test-" + Guid.NewGuid().ToString("N");
        var expected = Path.Combine(Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), "bufferedmessages-" + name);
        try
        {
            using var queue = MessageQueue.OpenShared(name, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment });

            Assert.Equal(expected, queue.Path);
            Assert.Equal(QueueMode.Bounded, queue.Mode);
            Assert.Equal(expected, MessageQueue.GetSharedPath(name));
            Assert.Contains(expected, MessageQueue.List());
        }
        finally
        {
            Directory.Delete(expected, recursive: true);
        }
    }

    [Theory]
    [InlineData("./orders")]
    [InlineData("a/orders")]
    [InlineData("..")]
    [InlineData(".")]
    public void A_path_is_a_path_whatever_the_mode(string path) =>
        Assert.Equal(Path.GetFullPath(path), BufferedMessages.Queues.QueueLocation.OfPath(path));

    [Fact]
    public void A_bare_name_is_refused_as_a_path_since_it_could_mean_two_queues()
    {
        var exception = Assert.Throws<ArgumentException>(() => MessageQueue.Open("ticks"));

        Assert.Contains("./ticks", exception.Message, StringComparison.Ordinal);
        Assert.Contains("OpenShared(\"ticks\")", exception.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists("ticks"));
    }

    [Theory]
    [InlineData("a/b")]
    [InlineData("/tmp/ticks")]
    [InlineData("a\0b")]
    public void A_path_is_refused_as_a_name(string name) => Assert.Throws<ArgumentException>(() => MessageQueue.OpenShared(name));

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
