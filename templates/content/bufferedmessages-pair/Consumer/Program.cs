using BufferedMessages;
using PairNamespace1.Messages;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, key) =>
{
    key.Cancel = true;
    stop.Cancel();
};

using var queue = MessageQueue.Open(Path.GetFullPath(args.FirstOrDefault() ?? Path.Combine(Path.GetTempPath(), "PairTemplate1", "orders")));
using var consumer = queue.OpenConsumer<OrderBufferedMessage>("shipping");
Console.WriteLine($"Waiting for orders in {queue.Path}. Ctrl+C ends it.");
try
{
    foreach (var delivery in consumer.ReadAll(stop.Token))
    {
        var order = delivery.Message;                       // a view of the mapped bytes
        Console.WriteLine($"{order.Quantity} x {order.Article}, order {order.Id}");
    }
}
catch (OperationCanceledException)
{
    // Ctrl+C.
}
