using System.Diagnostics;
using BufferedMessages.Running;
using Toolkit.Benchmarks.Messages.Orders;

namespace BufferedMessages.Sessions;

/// <summary>
/// Reading one field of a message in a queue, by the size of the message: take it, read its number, commit. The floor is the smallest
/// message. One process, one thread; each batch is read three times and measured the third time, from cache: what a cold line of memory costs
/// depends on the machine, not on the reader.
/// </summary>
internal static class FieldSession
{
    private const int DefaultMessages = 2_000;
    private const int BatchMessages = 10;

    // After megabytes were written once is not enough: the processor's tables of pages and branches are those of the writer.
    private const int WarmupReads = 2;

    // Most batches are within one segment, also of the largest messages.
    private const long SegmentBytes = 32 * 1024 * 1024;
    private static readonly int[] TextBytes = [64, 1024, 16 * 1024, 256 * 1024, 1024 * 1024];

    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path, SegmentBytes = options.SegmentBytes ?? SegmentBytes };
        var rounds = Enumerable.Range(0, options.Rounds + 1).Select(round => RunRound(options, round)).ToList();
        return
        [
            .. TextBytes.Select((bytes, i) => PairSession.Summarise(
                new SessionResult("field", options) { Library = OrderFormat.Names[0], Fields = "one", PayloadBytes = OrderOf(bytes).CalculateSize() },
                options.Messages ?? DefaultMessages,
                [.. rounds[1..].Select(round => new PairSession.Round(round[i], round[0], AllocatedBytes: 0))]) with { AllocatedBytesPerMessage = null }),
        ];
    }

    private static List<long[]> RunRound(SessionOptions options, int round)
    {
        SessionDirectory.CreateQueue(options, round);
        var times = new List<long[]>();
        using (var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, round)))
        {
            using var producer = queue.OpenProducer<Order>();
            using var consumer = queue.OpenConsumer<OrderBufferedMessage>("session");
            foreach (var bytes in TextBytes)
            {
                times.Add(Measure(producer, consumer, OrderOf(bytes), Math.Max((options.Messages ?? DefaultMessages) / BatchMessages, 1)));
            }
        }

        SessionDirectory.DeleteQueue(options, round);
        Report.Progress($"round {round}: {string.Join(", ", times.Select((figures, i) => $"{TextBytes[i]:N0} B {figures[0]} ns"))}");
        return times;
    }

    private static Order OrderOf(int textBytes)
    {
        var order = Order.Create();
        order.ClientOrderId = new string('x', textBytes);
        return order;
    }

    private static long[] Measure(MessageProducer<Order> producer, MessageConsumer<OrderBufferedMessage> consumer, Order order, int batches)
    {
        var times = new long[batches];
        for (var batch = 0; batch < batches; batch++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            var first = Publish(producer, order);

            for (var read = 0; read < WarmupReads; read++)
            {
                ReadBatch(consumer);
                consumer.Seek(QueueStart.At(first));
            }

            times[batch] = ReadBatch(consumer);
        }

        return Figures.Quantiles(times);
    }

    private static long Publish(MessageProducer<Order> producer, Order order)
    {
        var first = 0L;
        for (var i = 0; i < BatchMessages; i++)
        {
            order.Id = i;
            var position = producer.Publish(order);
            first = i == 0 ? position : first;
        }

        return first;
    }

    private static long ReadBatch(MessageConsumer<OrderBufferedMessage> consumer)
    {
        var sum = 0L;
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < BatchMessages; i++)
        {
            consumer.TryRead(out var delivery);
            sum += delivery.Message.Id;
            delivery.Commit();
        }

        var time = Figures.NanosecondsSince(start) / BatchMessages;
        return sum == BatchMessages * (BatchMessages - 1) / 2 ? time : throw new InvalidOperationException("Messages are missing, or are not what was published.");
    }
}
