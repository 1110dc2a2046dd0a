using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>
/// What neither the compiler nor a rule holds ends in a typed exception: a delivery that is reached through a field, an array or a pointer after it was closed.
/// The rules are off in tests.
/// </summary>
public sealed class StoredDeliveryTests : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Durable);
    private readonly MessageQueue _queue;
    private readonly MessageConsumer<RawMessage> _consumer;
    private Delivery<RawMessage> _delivery;

    public StoredDeliveryTests()
    {
        _queue = _directory.Open();
        using var producer = _queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        _consumer = _queue.OpenConsumer<RawMessage>("risk");
        Assert.True(_consumer.TryRead(out _delivery));
    }

    private RawMessage Message => _delivery.Message;

    public void Dispose()
    {
        _consumer.Dispose();
        _queue.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void A_view_of_a_delivery_in_a_field_is_given_while_it_is_open() => Assert.Equal(0, Payload.Number(Message.Bytes));

    [Fact]
    public void A_view_of_a_delivery_in_a_field_that_was_committed_throws()
    {
        _delivery.Commit();

        Assert.Throws<ObjectDisposedException>(() => Message.Bytes.Length);
    }

    [Fact]
    public void A_view_of_a_delivery_in_a_field_throws_when_a_copy_of_it_was_abandoned()
    {
        var copy = _delivery;
        copy.Abandon();

        Assert.Throws<ObjectDisposedException>(() => Message.Bytes.Length);
    }

    [Fact]
    public void A_view_of_a_delivery_in_a_field_throws_when_its_consumer_read_on()
    {
        Assert.True(_consumer.TryRead(out var next));

        Assert.Throws<ObjectDisposedException>(() => Message.Bytes.Length);
        next.Dispose();
    }

    [Fact]
    public void A_view_of_a_delivery_in_an_array_that_was_committed_throws()
    {
        var all = new[] { _delivery };
        _delivery.Commit();

        Assert.Throws<ObjectDisposedException>(() => all[0].Message.Bytes.Length);
    }

    [Fact]
    public unsafe void A_view_of_a_delivery_behind_a_pointer_that_was_committed_throws()
    {
        var delivery = _delivery;
        var pointer = Unsafe.AsPointer(ref delivery);
        Assert.Equal(0, Payload.Number(Through(pointer).Bytes));
        delivery.Commit();

        Assert.Throws<ObjectDisposedException>(() => Through(pointer).Bytes.Length);
    }

    [Fact]
    public void A_view_that_was_kept_past_the_end_of_its_queue_still_reads_memory_of_this_process()
    {
        var kept = Message;
        _delivery.Commit();
        _consumer.Dispose();
        _queue.Dispose();

        Assert.Equal(sizeof(int), kept.Bytes.ToArray().Length);
    }

    private static unsafe RawMessage Through(void* delivery) => Unsafe.AsRef<Delivery<RawMessage>>(delivery).Message;
}
