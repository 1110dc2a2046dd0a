namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The example of MappedFileQueues.Stream, in docs/from-mapped-file-queues.md.</summary>
internal static class StreamQueue
{
    public static async Task RunAsync()
    {
        // <objects>
        MessageQueue.Delete("./test");

        using var queue = MessageQueue.Open("./test");
        using var producer = queue.OpenProducer<TestClass>();
        using var consumer = queue.OpenConsumer<TestClassBufferedMessage>("consumer");

        var produceTask = Task.Run(() =>
        {
            for (var i = 1; i <= 100; i++)
            {
                var testData = new TestClass { IntValue = i, LongValue = i * 10, DoubleValue = i / 2.0, StringValue = "TestString_" + i };
                producer.Publish(testData);
            }

            Console.WriteLine("Produced 100 items.");
        });

        var consumeTask = Task.Run(async () =>
        {
            for (var i = 1; i <= 100; i++)
            {
                var delivery = await consumer.ReadAsync();
                var testData = delivery.Message;
                Console.WriteLine($"Consumed: IntValue={testData.IntValue}, LongValue={testData.LongValue}, DoubleValue={testData.DoubleValue}, StringValue={testData.StringValue.ToString()}");
                delivery.Commit();
            }

            Console.WriteLine("Consumed 100 items.");
        });

        await Task.WhenAll(produceTask, consumeTask);
        // </objects>
    }
}
