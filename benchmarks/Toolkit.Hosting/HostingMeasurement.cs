using BufferedMessages.Hosting;
using BufferedMessages.Running;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.HostingBenchmarks;

/// <summary>Reads a queue that is full of messages: by a loop over ReadAll and by handlers of a host, in turns.</summary>
internal sealed class HostingMeasurement(string directory, long messages, int rounds, TextWriter output)
{
    // In the first rounds code is compiled again, by the counts of its calls and branches. Code that the cases share is compiled for the last of them, too.
    private const int Warmup = 4;

    public async Task<IReadOnlyList<HostingFigure>> RunAsync()
    {
        PublishOrders();
        PublishValues();
        await MeasureAsync(Warmup);
        return await MeasureAsync(rounds, output);
    }

    private async Task<IReadOnlyList<HostingFigure>> MeasureAsync(int times, TextWriter? report = null)
    {
        var figures = new List<HostingFigure>();
        foreach (var (consumer, isOrdered, messagesPerCommit) in new[] { ("group", false, 1), ("exclusive, 1", true, 1), ("exclusive, 64", true, 64) })
        {
            void Configure(MessageHandlerOptions options) => (options.Ordered, options.MessagesPerCommit) = (isOrdered, messagesPerCommit);

            var options = new ConsumerOptions { Shared = !isOrdered, MessagesPerCommit = messagesPerCommit };
            figures.Add(await MeasureAsync(
                "orders",
                consumer,
                times,
                tally => ReadOrders(options, tally),
                builder => builder.AddSynchronousHandler<OrderBufferedMessage, SynchronousOrders>("measured", Configure),
                builder => builder.AddHandler<OrderBufferedMessage, AsynchronousOrders>("measured", Configure)));
            figures.Add(await MeasureAsync(
                "values",
                consumer,
                times,
                tally => ReadValues(options, tally),
                builder => builder.AddSynchronousHandler<ValueMessage<long>, SynchronousValues>("measured", Configure),
                builder => builder.AddHandler<ValueMessage<long>, AsynchronousValues>("measured", Configure)));
        }

        foreach (var figure in figures)
        {
            report?.WriteLine(
                $"{figure.Content,-7} {figure.Consumer,-14} ReadAll {figure.ReadAllPerSecond / 1e6,6:F1} M/s, synchronous {figure.SynchronousPerSecond / 1e6,6:F1} M/s ({figure.SynchronousRatio:F2}), " +
                $"asynchronous {figure.AsynchronousPerSecond / 1e6,6:F1} M/s ({figure.AsynchronousRatio:F2})");
        }

        return figures;
    }

    private async Task<HostingFigure> MeasureAsync(
        string content, string consumer, int times, Action<Tally> read, Action<MessageQueueBuilder> addSynchronous, Action<MessageQueueBuilder> addAsynchronous)
    {
        var seen = new List<(double Loop, double Synchronous, double Asynchronous)>();
        for (var round = 0; round < times; round++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            var loop = Time(content, read);
            var synchronous = await TimeAsync(content, addSynchronous);
            var asynchronous = await TimeAsync(content, addAsynchronous);
            seen.Add((loop, synchronous, asynchronous));
        }

        return new HostingFigure(
            content,
            consumer,
            messages,
            Medians.Of(seen.Select(static round => round.Loop)),
            Medians.Of(seen.Select(static round => round.Synchronous)),
            Medians.Of(seen.Select(static round => round.Asynchronous)),
            Medians.Of(seen.Select(static round => round.Synchronous / round.Loop)),
            Medians.Of(seen.Select(static round => round.Asynchronous / round.Loop)));
    }

    private double Time(string content, Action<Tally> read)
    {
        var tally = new Tally(messages);
        read(tally);
        return Finish(content, tally);
    }

    private async Task<double> TimeAsync(string content, Action<MessageQueueBuilder> add)
    {
        var tally = new Tally(messages);
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.Services.AddSingleton(tally);
        add(builder.Services.AddMessageQueue(content, queue => queue.Directory = PathOf(content)));
        using (var host = builder.Build())
        {
            await host.StartAsync();
            await tally.End;
            await host.StopAsync();
        }

        return Finish(content, tally);
    }

    private double Finish(string content, Tally tally)
    {
        using var queue = MessageQueue.OpenExisting(PathOf(content));
        queue.DeleteConsumer("measured");
        return tally.IsWhole ? tally.PerSecond : throw new InvalidOperationException("Messages were not read as they were published.");
    }

    private void ReadOrders(ConsumerOptions options, Tally tally)
    {
        using var queue = MessageQueue.OpenExisting(PathOf("orders"));
        using var consumer = queue.OpenConsumer<OrderBufferedMessage>("measured", options);
        foreach (var order in consumer.ReadAll())
        {
            tally.Count(order.Message.Id);
            if (tally.End.IsCompleted)
            {
                break;
            }
        }
    }

    private void ReadValues(ConsumerOptions options, Tally tally)
    {
        using var queue = MessageQueue.OpenExisting(PathOf("values"));
        using var consumer = queue.OpenConsumer<ValueMessage<long>>("measured", options);
        foreach (var value in consumer.ReadAll())
        {
            tally.Count(value.Message.Value);
            if (tally.End.IsCompleted)
            {
                break;
            }
        }
    }

    private void PublishOrders()
    {
        using var queue = MessageQueue.Open(PathOf("orders"));
        using var producer = queue.OpenProducer<Order>();
        for (var id = 0L; id < messages; id++)
        {
            producer.Publish(new Order { Id = id, Quantity = 3, Price = 19.95m, Customer = "Ada Lovelace", Article = "Difference engine" });
        }
    }

    private void PublishValues()
    {
        using var queue = MessageQueue.Open(PathOf("values"));
        using var producer = queue.OpenValueProducer<long>();
        for (var id = 0L; id < messages; id++)
        {
            producer.Publish(id);
        }
    }

    private string PathOf(string content) => Path.Combine(directory, content);
}
