using System.Diagnostics;
using BufferedMessages.Bridges;
using BufferedMessages.Bridges.Torture;
using BufferedMessages.Running;

namespace BufferedMessages.BridgeBenchmarks;

/// <summary>Measures a bridge through a real broker: a queue that is full beforehand, out to the stream, and from there into another queue.</summary>
internal sealed class BridgeMeasurement(ITortureBroker broker, string brokerName, int rounds, TextWriter output) : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("bm-bridge-bench-").FullName;
    private int _streams;

    public async Task<IReadOnlyList<BridgeFigure>> RunAsync(int batch, long messages)
    {
        var figures = new List<BridgeFigure>();
        for (var round = 0; round < rounds; round++)
        {
            figures.AddRange(await RunRoundAsync(batch, messages));
        }

        return [.. figures.GroupBy(static figure => figure.Direction).Select(static group => group.OrderBy(static figure => figure.MessagesPerSecond).ElementAt(group.Count() / 2))];
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private async Task<IReadOnlyList<BridgeFigure>> RunRoundAsync(int batch, long messages)
    {
        var name = $"bench-{++_streams}";
        var source = Path.Combine(_directory, name + "-source");
        var destination = Path.Combine(_directory, name + "-destination");
        try
        {
            await using var stream = BridgePart.OpenStream(broker.Address, name);
            using var from = MessageQueue.Open(source);
            using var to = MessageQueue.Open(destination);
            var bytes = Fill(from, messages);
            List<BridgeFigure> figures = [await MeasureAsync("out", () => ForwardAsync(from, stream, batch, messages)), await MeasureAsync("in", () => ReceiveAsync(to, stream, messages)), await MeasureAsync("views", () => ReadAsync(stream, messages))];
            return figures;

            async Task<BridgeFigure> MeasureAsync(string direction, Func<Task> pass)
            {
                var allocated = GC.GetTotalAllocatedBytes();
                var clock = Stopwatch.StartNew();
                await pass();
                var seconds = clock.Elapsed.TotalSeconds;
                using var process = Process.GetCurrentProcess();
                var figure = new BridgeFigure(
                    brokerName, direction, batch, bytes, messages, messages / seconds, (double)(GC.GetTotalAllocatedBytes() - allocated) / messages, process.PeakWorkingSet64);
                await output.WriteLineAsync($"{brokerName,-9} {direction,-6} batch {batch,3}: {figure.MessagesPerSecond,12:N0} messages per second, {figure.AllocatedBytesPerMessage,6:N0} bytes allocated per message");
                return figure;
            }
        }
        finally
        {
            Directory.Delete(source, recursive: true);
            Directory.Delete(destination, recursive: true);
        }
    }

    private static int Fill(MessageQueue queue, long messages)
    {
        using var producer = queue.OpenProducer<Tick>();
        var tick = new Tick { Symbol = "ACME", Body = new byte[64] };
        for (tick.Sequence = 0; tick.Sequence < messages; tick.Sequence++)
        {
            producer.Publish(tick);
        }

        return tick.CalculateSize();
    }

    private static async Task ForwardAsync(MessageQueue queue, IMessageStream stream, int batch, long messages)
    {
        await using var forwarder = queue.ForwardTo(stream, new ForwarderOptions { BatchMessages = batch });
        await UntilAsync(() => forwarder.GetStatistics().Confirmed >= messages, forwarder.Completion);
    }

    private static async Task ReceiveAsync(MessageQueue queue, IMessageStream stream, long messages)
    {
        await using var receiver = queue.ReceiveFrom(stream);
        await UntilAsync(() => receiver.GetStatistics().Received >= messages, receiver.Completion);
    }

    private static async Task ReadAsync(IMessageStream stream, long messages)
    {
        var count = 0L;
        var sum = 0L;
        await foreach (var run in stream.ReadRunsAsync<TickBufferedMessage>())
        {
            foreach (var received in run)
            {
                sum += received.Message.Sequence;
                count++;
            }

            if (count == messages)
            {
                break;
            }
        }

        if (sum != messages * (messages - 1) / 2)
        {
            throw new InvalidOperationException("The sum of the numbers is wrong.");
        }
    }

    private static async Task UntilAsync(Func<bool> condition, Task completion)
    {
        while (!condition())
        {
            if (await Task.WhenAny(completion, Task.Delay(5, RunnerCommand.Stopping)) == completion)
            {
                await completion;
            }

            RunnerCommand.Stopping.ThrowIfCancellationRequested();
        }
    }
}
