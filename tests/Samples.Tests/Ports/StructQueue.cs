namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The example of MappedFileQueues, in docs/from-mapped-file-queues.md.</summary>
internal static class StructQueue
{
    public static async Task RunAsync()
    {
        // <values>
        MessageQueue.Delete("./test");                  // if you have run this before

        using var queue = MessageQueue.Open("./test", new() { Flush = FlushMode.Interval, FlushMessages = 1000 });
        using var producer = queue.OpenValueProducer<TestStruct>();
        using var consumer = queue.OpenConsumer<ValueMessage<TestStruct>>("consumer");

        var produceTask = Task.Run(() =>
        {
            for (var i = 1; i <= 100; i++)
            {
                var testStruct = new TestStruct { IntValue = i, LongValue = i * 10, DoubleValue = i / 2.0 };
                $"TestString_{i}".CopyTo(testStruct.StringValue);
                producer.Publish(testStruct);
            }

            Console.WriteLine("Produced 100 items.");
        });

        var consumeTask = Task.Run(async () =>
        {
            for (var i = 1; i <= 100; i++)
            {
                var delivery = await consumer.ReadAsync();
                ref readonly var testStruct = ref delivery.Message.Value;
                var text = ((ReadOnlySpan<char>)testStruct.StringValue).TrimEnd('\0');
                Console.WriteLine($"Consumed: IntValue={testStruct.IntValue}, LongValue={testStruct.LongValue}, DoubleValue={testStruct.DoubleValue}");
                Console.WriteLine($"StringValue: {text}");
                delivery.Commit();
            }

            Console.WriteLine("Consumed 100 items.");
        });

        await Task.WhenAll(produceTask, consumeTask);
        // </values>
    }
}
