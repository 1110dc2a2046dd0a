using BufferedMessages;
using PairNamespace1.Messages;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, key) =>
{
    key.Cancel = true;
    stop.Cancel();
};

using var queue = MessageQueue.Open(Path.GetFullPath(args.FirstOrDefault() ?? Path.Combine(Path.GetTempPath(), "PairTemplate1", "orders")));
using var producer = queue.OpenProducer<Order>();
Console.WriteLine($"Publishing to {queue.Path}. Ctrl+C ends it.");
for (var quantity = 1; !stop.IsCancellationRequested; quantity++)
{
    producer.Publish(new Order(Guid.CreateVersion7(), "Lamp", quantity));
    stop.Token.WaitHandle.WaitOne(TimeSpan.FromSeconds(1));
}
