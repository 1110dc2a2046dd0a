using BufferedMessages;
using Shop;

var directory = Directory.CreateTempSubdirectory("inspect-").FullName;
try
{
    PublishAndRead(directory);
}
finally
{
    Directory.Delete(directory, recursive: true);
}

Console.WriteLine();
MessageReport.Print(new Order
{
    Id = 7,
    Note = "rush",
    Lines = [new() { Article = "A very small lamp", Quantity = 2, Price = 19.90m }, new() { Article = "Bulb", Quantity = 2 }],
});

static void PublishAndRead(string directory)
{
    // <queue>
    using var queue = MessageQueue.Open(directory);
    using var producer = queue.OpenProducer<Order>();
    producer.Publish(new Order { Id = 7, Note = "rush", Lines = [new() { Article = "Lamp", Quantity = 2 }] });

    using var consumer = queue.OpenConsumer<OrderBufferedMessage>("shipping");
    foreach (var order in consumer.ReadAll())           // usually in another process; waits for the next order
    {
        var isRush = order.Note == "rush"u8;            // compares the mapped bytes, allocates nothing
        Console.WriteLine($"Order {order.Id}: {order.Lines[0].Quantity} {order.Lines[0].Article}{(isRush ? ", rush" : "")}");
        break;
    }
    // </queue>
}
