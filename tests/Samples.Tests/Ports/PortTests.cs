using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The examples of other libraries, ported, in as many processes as theirs have.</summary>
public sealed class PortTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly string _sharedName = $"port-{Guid.NewGuid():N}";

    public void Dispose()
    {
        MessageQueue.Delete(MessageQueue.GetSharedPath(_sharedName));
        _directory.Dispose();
    }

    [Theory]
    [InlineData(nameof(StructQueue), "\nStringValue: ")]
    [InlineData(nameof(StreamQueue), ", StringValue=")]
    public async Task The_examples_of_MappedFileQueues_consume_what_they_produce_however_often_they_run(string example, string beforeText)
    {
        for (var run = 0; run < 2; run++)
        {
            using var process = Start(example);

            var lines = (await process.WaitAsync()).Succeeded().Lines;

            Assert.Contains("Produced 100 items.", lines);
            Assert.Equal(
                [.. Enumerable.Range(1, 100).SelectMany(i => $"Consumed: IntValue={i}, LongValue={i * 10}, DoubleValue={i / 2.0}{beforeText}TestString_{i}".Split('\n')), "Consumed 100 items."],
                lines.Where(static line => line != "Produced 100 items."));
        }
    }

    [Fact]
    public void Bytes_of_any_serializer_go_through_a_queue()
    {
        using var queue = MessageQueue.Open(_directory.PathOf("json"));
        var testData = new TestClass { IntValue = 7, StringValue = "TestString_7" };

        // <json>
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("consumer");

        producer.Publish(JsonSerializer.SerializeToUtf8Bytes(testData));
        consumer.TryRead(out var delivery);
        var received = JsonSerializer.Deserialize<TestClass>(delivery.Message.Bytes)!;
        delivery.Commit();
        // </json>

        Assert.Equal((7, "TestString_7"), (received.IntValue, received.StringValue));
    }

    [Fact]
    public async Task The_subscriber_of_the_Interprocess_sample_gets_what_the_publisher_in_another_process_sends()
    {
        using var subscriber = Start(nameof(InterprocessSubscriber), _sharedName);
        using var publisher = Start(nameof(InterprocessPublisher), _sharedName);

        (await publisher.WaitAsync()).Succeeded();
        var received = (await subscriber.WaitAsync()).Succeeded().Lines;

        Assert.Equal(Enumerable.Range(0, 256).Select(static i => $"Dequeue #{i}"), received);
    }

    [Fact]
    public async Task A_container_gives_one_queue_and_one_publisher_to_all_and_closes_them()
    {
        var services = new ServiceCollection();
        var name = _sharedName;

        // <services>
        services.AddSingleton(_ => MessageQueue.OpenShared(name, new() { SegmentBytes = 256 * 1024 }));
        services.AddSingleton(static provider => provider.GetRequiredService<MessageQueue>().OpenPublisher<TestClass>());
        // </services>

        MessagePublisher<TestClass> publisher;
        await using (var provider = services.BuildServiceProvider())
        {
            publisher = provider.GetRequiredService<MessagePublisher<TestClass>>();
            publisher.Publish(new TestClass { IntValue = 7 });
            Assert.Same(publisher, provider.GetRequiredService<MessagePublisher<TestClass>>());
        }

        Assert.Throws<ObjectDisposedException>(() => publisher.Publish(new TestClass()));
    }

    private SampleProcess Start(params string[] arguments) =>
        SampleProcess.StartDotnetIn(_directory.Path, ["exec", typeof(PortTests).Assembly.Location, .. arguments]);
}
