using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The options of a queue, as it gives them back.</summary>
public sealed class OptionsTests : IDisposable
{
    private const int Segment = 65_536;
    private const int LastRetentionOffset = 96;
    private const int NextRetentionOffset = 1664;
    private const int RetentionStepsOffset = 1692;

    private readonly string _folder = Directory.CreateTempSubdirectory("bmq-").FullName;

    public static TheoryData<MessageQueueOptions> All =>
    [
        new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Single, SegmentBytes = 131_072, Slots = 5 },
        new MessageQueueOptions { Mode = QueueMode.Durable, Producers = ProducerMode.Multiple, SegmentBytes = 65_536, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromMilliseconds(20), FlushMessages = 7 },
        new MessageQueueOptions
        {
            Mode = QueueMode.Durable,
            Producers = ProducerMode.Single,
            SegmentBytes = 65_536,
            Flush = FlushMode.EveryMessage,
            Retention = new QueueRetention { MaxBytes = 1 << 20, MaxAge = TimeSpan.FromHours(3), HardLimitBytes = 1 << 22, DeleteRead = true, KeepUnread = false, DropOldestAtHardLimit = true },
        },
        new MessageQueueOptions { Mode = QueueMode.Durable, SegmentBytes = 65_536, Flush = FlushMode.Interval },
        new MessageQueueOptions { Mode = QueueMode.Durable, SegmentBytes = 65_536, Retention = new QueueRetention { DeleteRead = true } },
    ];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(All))]
    public void A_queue_gives_the_options_that_it_was_created_with(MessageQueueOptions options)
    {
        using var queue = MessageQueue.Open(Path.Combine(_folder, "orders"), options);

        var found = queue.GetOptions();

        Assert.Equal((options.Mode, options.Producers ?? ProducerMode.Multiple, options.SegmentBytes, options.Slots), (found.Mode, found.Producers, found.SegmentBytes, found.Slots));
        Assert.Equal(options.Flush ?? FlushMode.None, found.Flush);
        var isAtIntervals = options.Flush == FlushMode.Interval;
        Assert.Equal(isAtIntervals ? options.FlushInterval ?? TimeSpan.FromSeconds(1) : null, found.FlushInterval);
        Assert.Equal(isAtIntervals ? options.FlushMessages ?? 1_000 : null, found.FlushMessages);
        Assert.Equal(Text(options.Retention), Text(found.Retention));
        Assert.Null(found.FileMode);
        Assert.Null(found.FileGroup);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Another_queue_can_be_made_with_them_and_the_first_opened(MessageQueueOptions options)
    {
        using var first = MessageQueue.Open(Path.Combine(_folder, "orders"), options);

        using var second = MessageQueue.Open(Path.Combine(_folder, "copy"), first.GetOptions());
        using var again = MessageQueue.Open(first.Path, first.GetOptions());

        Assert.Equal(Text(first.GetOptions().Retention), Text(second.GetOptions().Retention));
        Assert.Equal((first.Mode, first.SegmentBytes, first.GetOptions().Slots), (second.Mode, second.SegmentBytes, second.GetOptions().Slots));
        Assert.Equal(first.Id, again.Id);
    }

    [Fact]
    public void A_queue_is_not_opened_with_another_interval()
    {
        var path = Path.Combine(_folder, "orders");
        using var queue = MessageQueue.Open(path, new() { SegmentBytes = 65_536, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromMilliseconds(20) });

        using (MessageQueue.Open(path, new() { FlushInterval = TimeSpan.FromMilliseconds(20), FlushMessages = 1_000 }))
        {
            Assert.Contains("FlushInterval 00:00:00.0200000, not 00:00:01", Refusal(path, new() { FlushInterval = TimeSpan.FromSeconds(1) }), StringComparison.Ordinal);
            Assert.Contains("FlushMessages 1000, not 7", Refusal(path, new() { FlushMessages = 7 }), StringComparison.Ordinal);
            Assert.EndsWith("(Parameter 'FlushMessages')", Refusal(path, new() { FlushMessages = 7 }), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_interval_that_no_timer_has_is_refused()
    {
        var path = Path.Combine(_folder, "orders");

        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => MessageQueue.Open(path, new() { Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromMilliseconds(1) - TimeSpan.FromTicks(1) }));

        Assert.Contains("FlushInterval must be at least 1 millisecond", exception.Message, StringComparison.Ordinal);
        Assert.False(MessageQueue.Exists(path));
    }

    [Theory]
    [InlineData(FlushMode.None)]
    [InlineData(FlushMode.EveryMessage)]
    public void Only_a_queue_that_is_flushed_at_intervals_has_one(FlushMode flush)
    {
        var path = Path.Combine(_folder, "orders");

        Assert.Contains("Set Flush to FlushMode.Interval", Refusal(path, new() { Flush = flush, FlushInterval = TimeSpan.FromSeconds(1) }), StringComparison.Ordinal);
        Assert.Contains("Set Flush to FlushMode.Interval", Refusal(path, new() { Flush = flush, FlushMessages = 7 }), StringComparison.Ordinal);
        Assert.False(MessageQueue.Exists(path));
    }

    [Fact]
    public void A_change_of_them_changes_nothing_in_the_queue()
    {
        using var queue = MessageQueue.Open(Path.Combine(_folder, "orders"), new MessageQueueOptions { SegmentBytes = 65_536, Retention = new QueueRetention { MaxBytes = 1 << 20 } });

        queue.GetOptions().Retention!.MaxBytes = 1;

        Assert.Equal(1 << 20, queue.GetOptions().Retention!.MaxBytes);
        queue.Dispose();
        Assert.Throws<ObjectDisposedException>(() => queue.GetOptions());
    }

    [Fact]
    public void A_retention_that_is_replaced_is_seen_as_a_whole()
    {
        const int Replacements = 2_000;
        string[] seen = [Text(Of(2)), Text(Of(3))];
        using var queue = Open(Of(2));
        var replacing = new Background(() =>
        {
            for (var i = 0; i < Replacements; i++)
            {
                Open(Of(2 + (i % 2))).Dispose();
            }
        });
        while (replacing.IsRunning)
        {
            Assert.Contains(Text(queue.GetOptions().Retention), seen);
        }

        replacing.Join();

        static QueueRetention Of(int segments) => new() { MaxBytes = segments * Segment, MaxAge = TimeSpan.FromHours(segments), HardLimitBytes = segments * Segment, DeleteRead = segments == 2 };
    }

    // The words as a process leaves them that dies while it replaces them: those of the one or of the other place are not whole.
    [Theory]
    [InlineData(LastRetentionOffset, 1u)]
    [InlineData(NextRetentionOffset, 2u)]
    public void A_retention_whose_replacement_was_cut_off_is_whole_and_can_be_replaced(int brokenOffset, uint steps)
    {
        Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false }).Dispose();
        var control = Path.Combine(_folder, "orders", "control");
        var words = File.ReadAllBytes(control)[LastRetentionOffset..(LastRetentionOffset + RetentionWords.Size)];
        QueueDirectory.Damage(control, NextRetentionOffset, words);
        QueueDirectory.Damage(control, brokenOffset, BitConverter.GetBytes(5L * Segment));
        QueueDirectory.Damage(control, RetentionStepsOffset, BitConverter.GetBytes(steps));

        using var queue = Open(retention: null);
        Assert.Equal(2 * Segment, queue.GetOptions().Retention!.MaxBytes);
        using var other = Open(new QueueRetention { MaxBytes = 3 * Segment, KeepUnread = false });
        Assert.Equal((3 * Segment, 3 * Segment), (queue.GetOptions().Retention!.MaxBytes, other.GetOptions().Retention!.MaxBytes));
    }

    private MessageQueue Open(QueueRetention? retention) => MessageQueue.Open(Path.Combine(_folder, "orders"), new MessageQueueOptions { SegmentBytes = Segment, Retention = retention });

    private static string Refusal(string path, MessageQueueOptions options) => Assert.Throws<ArgumentException>(() => MessageQueue.Open(path, options)).Message;

    private static string Text(QueueRetention? retention) => retention is null
        ? "none"
        : $"{retention.MaxBytes} {retention.MaxAge} {retention.HardLimitBytes} {retention.DeleteRead} {retention.KeepUnread} {retention.DropOldestAtHardLimit}";
}
