using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class ContentTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Messages_are_written_and_read_in_place()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Note>();
        using var consumer = queue.OpenConsumer<NoteView>("risk");
        for (var i = 0; i < 3_000; i++)
        {
            producer.Publish(new Note { Number = i, Text = $"note {i}" });
        }

        var expected = 0;
        foreach (var delivery in consumer.ReadAll())
        {
            var note = delivery.Message;
            Assert.Equal(expected, note.Number);
            Assert.True(note.Text == $"note {expected}");
            if (++expected == 3_000)
            {
                break;
            }
        }
    }

    [Fact]
    public void A_source_that_cannot_be_written_publishes_nothing_and_the_next_message_follows()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Note>();
        using var consumer = queue.OpenConsumer<NoteView>("risk");

        Assert.Throws<ArgumentException>(() => producer.Publish(new Note { Text = "\uD800 has no partner" }));
        producer.Publish(new Note { Number = 7 });

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(7, delivery.Message.Number);
        delivery.Commit();
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void A_malformed_message_throws_out_of_the_view_and_can_be_committed()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer<Note>())
        {
            producer.Publish(new Note { Number = 1 });
            producer.Publish(new Note { Number = 2 });
        }

        QueueDirectory.Damage(_directory.SegmentFile(0), QueueDirectory.FirstRecord + RecordWord.HeaderBytes, 0xFF, 0xFF, 0xFF, 0xFF);
        using var again = _directory.Open();
        using var consumer = again.OpenConsumer<NoteView>("risk");
        Assert.True(consumer.TryRead(out var delivery));
        try
        {
            _ = delivery.Message;
            Assert.Fail("The message was readable.");
        }
        catch (MalformedMessageException)
        {
            delivery.Commit();
        }

        Assert.True(consumer.TryRead(out var next));
        Assert.Equal(2, next.Message.Number);
        next.Dispose();
    }

    [Fact]
    public void Values_are_read_where_they_are()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenValueProducer<Trade>();
        using var consumer = queue.OpenConsumer<ValueMessage<Trade>>("risk");
        for (var i = 0; i < 5_000; i++)
        {
            producer.Publish(new Trade(i, i * 0.5));
        }

        var expected = 0;
        foreach (var trade in consumer.ReadAll())
        {
            Assert.Equal(new Trade(expected, expected * 0.5), trade.Message.Value);
            if (++expected == 5_000)
            {
                break;
            }
        }

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(4_999, delivery.Message.Value.Id);
        delivery.Commit();
    }

    [Fact]
    public void A_value_type_of_another_name_with_the_same_fields_is_the_same()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenValueProducer<Trade>();
        using var consumer = queue.OpenConsumer<ValueMessage<SameAsTrade>>("risk");
        producer.Publish(new Trade(5, 1.5));

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(new SameAsTrade(5, 1.5), delivery.Message.Value);
        delivery.Dispose();
    }

    [Fact]
    public void A_value_type_with_other_fields_is_refused()
    {
        using var queue = _directory.Open();
        queue.OpenValueProducer<Trade>().Dispose();

        Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<ValueMessage<(double, long)>>("risk"));
        Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<ValueMessage<long>>("risk"));
    }

    [Fact]
    public void A_field_of_a_generic_type_is_the_same_in_every_version_of_an_assembly() =>
        Assert.Equal("value of 8 bytes\nSystem.ValueTuple`2[System.Int32,System.Int32] <Ends>k__BackingField\n", RecordContent.Values<Section>().Text);

    [Fact]
    public void A_schema_whose_member_changed_its_kind_is_refused_before_anything_is_touched()
    {
        using var queue = _directory.Open();
        queue.OpenProducer<Note>().Dispose();
        var before = File.ReadAllBytes(_directory.ControlFile)[..4096];

        var exception = Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<OtherView>("risk"));

        Assert.Contains("i32", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(_directory.ControlFile)[..4096]);
        using var name = queue.OpenConsumer<NoteView>("risk", new() { Start = QueueStart.Latest });
    }

    [Fact]
    public void The_kinds_of_content_do_not_mix()
    {
        using var messages = new QueueDirectory();
        using var raw = new QueueDirectory();
        using var values = new QueueDirectory();
        using var messageQueue = messages.Open();
        using var rawQueue = raw.Open();
        using var valueQueue = values.Open();
        messageQueue.OpenProducer<Note>().Dispose();
        rawQueue.OpenProducer().Dispose();
        valueQueue.OpenValueProducer<Trade>().Dispose();

        Assert.Throws<SchemaMismatchException>(() => messageQueue.OpenProducer());
        Assert.Throws<SchemaMismatchException>(() => messageQueue.OpenConsumer<ValueMessage<Trade>>("risk"));
        Assert.Throws<SchemaMismatchException>(() => rawQueue.OpenProducer<Note>());
        Assert.Throws<SchemaMismatchException>(() => rawQueue.OpenConsumer<NoteView>("risk"));
        Assert.Throws<SchemaMismatchException>(() => valueQueue.OpenProducer());
        Assert.Throws<SchemaMismatchException>(() => valueQueue.OpenConsumer<NoteView>("risk"));
    }

    [Fact]
    public void A_raw_consumer_reads_any_queue_for_inspection()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenValueProducer<Trade>();
        producer.Publish(new Trade(1, 2));
        using var inspector = queue.OpenConsumer<RawMessage>("inspector");

        Assert.True(inspector.TryRead(out var delivery));
        Assert.Equal(16, delivery.Message.Bytes.Length);
        delivery.Dispose();
    }

    [Fact]
    public void A_raw_consumer_that_comes_first_decides_nothing()
    {
        using var queue = _directory.Open();
        using var inspector = queue.OpenConsumer<RawMessage>("inspector");
        using var producer = queue.OpenProducer<Note>();
    }

    private readonly record struct Trade(long Id, double Price);

    private readonly record struct SameAsTrade(long Id, double Price);

    private readonly record struct Section((int First, int Last) Ends);

    private sealed class Note : IBufferedMessageSource<Note>
    {
        public static MessageSchema Schema { get; } = new("Note", "0 i64 Number\n1 string Text\n", () => []);

        public long Number { get; init; }

        public string? Text { get; init; }

        public int CalculateSize() => MessageSize.Of<Note, Block>(this);

        public int Write(Span<byte> destination) => MessageWriter.Write<Note, Block>(this, destination);

        private readonly struct Block : IMessageBlock<Note>
        {
            public static int Bytes => 16;

            public static void AddSize(scoped SourcePlace source, ref MessageSize size, int depth) => size.AddString(source.Get<Note>().Text);

            public static void Write(scoped SourcePlace source, ref MessageWriter writer, int block, int depth)
            {
                var note = source.Get<Note>();
                writer.Block(block, Bytes).Write(0, note.Number);
                writer.WriteString(block, 8, note.Text);
            }
        }
    }

    private readonly ref struct NoteView : IBufferedMessage<NoteView>
    {
        private readonly BlockReader _block;

        private NoteView(BlockReader block) => _block = block;

        public static MessageSchema Schema => Note.Schema;

        public long Number => _block.Read<long>(0);

        public BufferedString Text => _block.ReadString(8);

        public static NoteView Create(BlockReader block) => new(block);

        public CaseReader Content => new(_block);

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => verifier.Payload<BufferedString>(block, 8, nameof(Text));
    }

    private readonly ref struct OtherView : IBufferedMessage<OtherView>
    {
        public static MessageSchema Schema { get; } = new("Note", "0 i32 Number\n1 string Text\n", () => []);

        public static OtherView Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    public sealed class DurableSingle() : ContentTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : ContentTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : ContentTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : ContentTests(QueueMode.Bounded, ProducerMode.Multiple);
}
