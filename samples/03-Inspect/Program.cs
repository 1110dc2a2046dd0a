using System.CommandLine;
using BufferedMessages;
using BufferedMessages.Samples;
using Shop;

return await SampleCommand.RunAsync(Command(), args, "dotnet run --project samples/03-Inspect");

static RootCommand Command()
{
    var command = new RootCommand("Publishes a message, reads it, and shows its schema and its bytes. Its generated files are in Generated.");
    command.SetAction(_ => Run());
    return command;
}

static void Run()
{
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
    MessageReport.Print(new Order(7, "rush", [new() { Article = "A very small lamp", Quantity = 2, Price = 19.90m }, new() { Article = "Bulb", Quantity = 2 }]));
}

static void PublishAndRead(string directory)
{
    // <queue>
    using var queue = MessageQueue.Open(directory);
    using var producer = queue.OpenProducer<Order>();
    producer.Publish(new Order(7, "rush", [new() { Article = "Lamp", Quantity = 2 }]));     // written into the mapped file

    using var consumer = queue.OpenConsumer<OrderBufferedMessage>("shipping");              // usually in another process
    foreach (var delivery in consumer.ReadAll())
    {
        var order = delivery.Message;                                                       // a view of the mapped bytes
        var urgency = order.Note == "rush"u8 ? "at once" : "tomorrow";
        Console.WriteLine($"Order {order.Id}: send {order.Lines[0].Quantity} {order.Lines[0].Article} {urgency}");
        delivery.Commit();                                                                  // handled: not delivered again
        break;                                                                              // without it the loop waits for the next order
    }
    // </queue>
}
