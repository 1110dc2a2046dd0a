using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>A queue of orders for the tests.</summary>
internal static class QueueOfOrders
{
    /// <summary>Makes a queue of orders with the ids from 1 on, each with a line of its own.</summary>
    /// <returns>The positions.</returns>
    public static IReadOnlyList<long> Create(string path, int count, MessageQueueOptions? options = null)
    {
        using var queue = MessageQueue.Open(path, options);
        using var producer = queue.OpenProducer<Order>();
        return [.. Enumerable.Range(1, count).Select(id => producer.Publish(new Order(id, id % 2 == 0 ? null : $"note {id}", [new OrderLine(id % 3 == 0 ? "Lamp" : "Bulb", id)])))];
    }

    /// <summary>Gives the schema of a type.</summary>
    public static MessageSchema Schema<TSource>()
        where TSource : IBufferedMessageSource<TSource> => TSource.Schema;
}
