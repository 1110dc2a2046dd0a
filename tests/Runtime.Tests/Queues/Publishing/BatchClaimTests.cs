using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A batch that is filled by claims: what is checked, what is refused, and that a refusal leaves the batch as it was.</summary>
public sealed partial class BatchClaimTests : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Bounded);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Claims_of_a_batch_are_written_in_place_and_give_back_what_they_do_not_use()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var batch = producer.ClaimBatch(1_024))
        {
            for (var number = 0; number < 20; number++)
            {
                Assert.True(batch.TryClaim(300, out var bytes));
                Assert.Equal(300, bytes.Length);
                bytes.Fill(0xEE);
                Payload.Of(number).CopyTo(bytes);
                batch.Add(sizeof(int));
            }

            Assert.True(batch.TryClaim(100, out _));
            batch.Publish();
        }

        Assert.Equal(Enumerable.Range(0, 20), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_batch_refuses_what_does_not_fit_and_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var batch = producer.ClaimBatch(100))
        {
            Assert.Equal([nameof(MessageTooLargeException), nameof(ArgumentOutOfRangeException), nameof(InvalidOperationException)],
                [Refusal(ref Ref(in batch), static (ref one) => one.TryAdd(new byte[97])), Refusal(ref Ref(in batch), static (ref one) => one.TryClaim(-1, out _)), Refusal(ref Ref(in batch), static (ref one) => one.Add(0))]);
            Assert.True(batch.TryAdd(Payload.Of(1)));
            Assert.False(batch.TryAdd(new byte[65]));
            Assert.True(batch.TryClaim(10, out var bytes));
            Assert.Equal(nameof(ArgumentOutOfRangeException), Refusal(ref Ref(in batch), static (ref one) => one.Add(11)));
            Payload.Of(2).CopyTo(bytes);
            batch.Add(sizeof(int));
            Assert.Equal(nameof(InvalidOperationException), Refusal(ref Ref(in batch), static (ref one) => one.Add(0)));
            Assert.Equal(nameof(ArgumentException), Refusal(ref Ref(in batch), static (ref one) => one.TryAdd([], new() { Reason = new string('x', 100_000) })));
            Assert.Equal(2, batch.Count);
            batch.Publish();
            Assert.Equal([nameof(ObjectDisposedException), nameof(ObjectDisposedException)],
                [Refusal(ref Ref(in batch), static (ref one) => one.TryAdd([])), Refusal(ref Ref(in batch), static (ref one) => one.Publish())]);
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => producer.ClaimBatch(0).Dispose());
        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_claim_of_a_batch_ends_with_the_next_message_or_claim_even_if_that_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var batch = producer.ClaimBatch(200))
        {
            Assert.True(batch.TryClaim(10, out _));
            Assert.True(batch.TryAdd(Payload.Of(1)));
            Assert.Equal(nameof(InvalidOperationException), Refusal(ref Ref(in batch), static (ref one) => one.Add(0)));
            Assert.True(batch.TryClaim(10, out _));
            Assert.False(batch.TryClaim(1_000, out _));
            Assert.Equal(nameof(InvalidOperationException), Refusal(ref Ref(in batch), static (ref one) => one.Add(0)));
            Assert.True(batch.TryClaim(10, out _));
            Assert.Equal(nameof(ArgumentException), Refusal(ref Ref(in batch), static (ref one) => one.TryClaim(10, out _, new() { Reason = new string('x', 100_000) })));
            Assert.Equal(nameof(InvalidOperationException), Refusal(ref Ref(in batch), static (ref one) => one.Add(0)));
            Assert.Equal(1, batch.Count);
            batch.Publish();
        }

        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_producer_with_an_open_batch_is_in_use_and_a_disposed_one_closes_at_its_end()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using (var batch = producer.ClaimBatch(100))
        {
            Assert.Throws<InvalidOperationException>(() => producer.Publish([]));
            Assert.Throws<InvalidOperationException>(() => producer.ClaimBatch(10).Dispose());
            Assert.True(batch.TryAdd(Payload.Of(1)));
            producer.Dispose();
            Assert.Single(queue.GetStatistics().Producers);
            batch.Publish();
        }

        Assert.Empty(queue.GetStatistics().Producers);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void The_messages_of_a_batch_are_checked_as_those_of_a_publish_are()
    {
        using var values = new QueueDirectory(QueueMode.Bounded);
        using var queue = values.Open();
        using var producer = queue.OpenValueProducer<long>();
        using var consumer = queue.OpenConsumer<ValueMessage<long>>("all");
        using (var batch = producer.ClaimBatch(1_000))
        {
            Assert.Equal(nameof(ArgumentException), Refusal(ref Ref(in batch), static (ref one) => one.TryAdd(new byte[7])));
            Assert.True(batch.TryClaim(8, out var bytes));
            MemoryMarshal.Write(bytes, 7L);
            batch.Add(8);
            batch.Publish();
        }

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(7, delivery.Message.Value);
        delivery.Commit();
        Assert.False(consumer.TryRead(out _));

        using var typed = _directory.Open();
        using var bySchema = typed.OpenProducer(SchemaOf<ItemBufferedMessage>());
        using var items = typed.OpenConsumer<ItemBufferedMessage>("all");
        var item = new Item { Name = "lamp" };
        var message = new byte[item.CalculateSize()];
        item.Write(message);
        using (var batch = bySchema.ClaimBatch(1_000))
        {
            Assert.Equal(nameof(MalformedMessageException), Refusal(ref Ref(in batch), static (ref one) => one.TryAdd([1, 2, 3])));
            Assert.True(batch.TryAdd(message));
            batch.Publish();
        }

        Assert.True(items.TryRead(out var read));
        Assert.Equal("lamp", read.Message.Name);
        read.Commit();
        Assert.False(items.TryRead(out _));
    }

    [Fact]
    public void A_full_queue_gives_no_batch()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var messages = 0;
        while (producer.TryClaimBatch(1_000, out var batch))
        {
            using (batch)
            {
                Assert.True(batch.TryAdd(Payload.Of(messages++)));
                batch.Publish();
            }
        }

        Assert.False(producer.TryClaimBatch(1_000, out var none, TimeSpan.FromMilliseconds(10)));
        none.Dispose();
        Assert.Equal(nameof(ObjectDisposedException), Refusal(ref none, static (ref one) => one.TryAdd([])));
        Assert.InRange(messages, 100, 200);
        Assert.Equal(Enumerable.Range(0, messages), Payload.ReadNumbers(consumer));
        Assert.True(producer.TryClaimBatch(1_000, out var again));
        again.Dispose();
    }

    private static MessageSchema SchemaOf<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Schema;

    private delegate void Use(ref MessageBatch batch);

    private static ref MessageBatch Ref(ref readonly MessageBatch batch) => ref System.Runtime.CompilerServices.Unsafe.AsRef(in batch);

    private static string Refusal(ref MessageBatch batch, Use use)
    {
        try
        {
            use(ref batch);
            return "none";
        }
        catch (Exception exception)
        {
            return exception.GetType().Name;
        }
    }

    [BufferedMessageSource]
    internal sealed partial class Item
    {
        public string Name { get; set; } = "";
    }
}
