namespace BufferedMessages.Bridges.Tests;

/// <summary>A directory for the queues of a test, and the ways to fill and to compare them.</summary>
internal sealed class BridgeDirectory : IDisposable
{
    private readonly string _path = Directory.CreateTempSubdirectory("bm-bridge-").FullName;

    public string PathOf(string name) => Path.Combine(_path, name);

    public MessageQueue Open(string name, MessageQueueOptions? options = null) => MessageQueue.Open(PathOf(name), options);

    /// <summary>Publishes ticks with sequence numbers from a first one on.</summary>
    public static void Publish(MessageQueue queue, int first, int count)
    {
        using var producer = queue.OpenProducer<Tick>();
        for (var i = first; i < first + count; i++)
        {
            producer.Publish(new Tick { Sequence = i, Symbol = $"S{i}" });
        }
    }

    /// <summary>Reads the sequence numbers of all ticks of a queue.</summary>
    public static List<long> Sequences(MessageQueue queue)
    {
        var sequences = new List<long>();
        using var reader = queue.OpenReader<TickBufferedMessage>();
        while (reader.TryRead(out var delivery))
        {
            sequences.Add(delivery.Message.Sequence);
            delivery.Commit();
        }

        return sequences;
    }

    /// <summary>Waits until a condition holds.</summary>
    public static async Task UntilAsync(Func<bool> condition, string what)
    {
        var deadline = Environment.TickCount64 + 60_000;
        while (!condition())
        {
            Assert.True(Environment.TickCount64 < deadline, $"Not within 60 seconds: {what}");
            await Task.Delay(5);
        }
    }

    public void Dispose() => Directory.Delete(_path, recursive: true);
}
