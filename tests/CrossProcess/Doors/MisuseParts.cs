using System.Globalization;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>
/// Breaks every rule of use that C# without <c>unsafe</c> lets one break: several threads share what serves one, and use what is closed. It may get any
/// exception and any message; it must not end by an access violation.
/// </summary>
internal static class MisuseParts
{
    private static int _sum;

    /// <summary>Arguments: the queue, its mode, its producers, seconds.</summary>
    public static void Misuse(string[] arguments)
    {
        var options = new MessageQueueOptions
        {
            Mode = Enum.Parse<QueueMode>(arguments[1]),
            Producers = Enum.Parse<ProducerMode>(arguments[2]),
            SegmentBytes = Parts.SegmentBytes,
        };
        var end = Environment.TickCount64 + (long)(double.Parse(arguments[3], CultureInfo.InvariantCulture) * 1_000);
        for (var round = 0; Environment.TickCount64 < end; round++)
        {
            using var queue = MessageQueue.Open(Path.Combine(arguments[0], round.ToString(CultureInfo.InvariantCulture)), options);
            var shared = new Shared(queue);
            var roundEnd = Math.Min(end, Environment.TickCount64 + 400);
            var threads = Enumerable.Range(0, 6).Select(seed => new Thread(() => Run(shared, new Random(seed), roundEnd))).ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
        }

        Console.Out.WriteLine("survived");
    }

    private static void Run(Shared shared, Random random, long end)
    {
        while (Environment.TickCount64 < end)
        {
            try
            {
                Act(shared, random);
            }
            catch (Exception exception) when (exception is not OutOfMemoryException)
            {
                // Whatever is said is fine.
            }
        }
    }

    private static void Act(Shared shared, Random random)
    {
        switch (random.Next(14))
        {
            case 0 or 1:
                shared.Producer.TryPublish(new byte[random.Next(3_000)], out _);
                break;
            case 2:
                FillAfterCommit(shared.Producer, random.Next(1, 20_000));
                break;
            case 3 or 4:
                shared.Consumer.TryRead(out shared.Delivery);
                break;
            case 5:
                ReadAfter(shared.Delivery, shared.Delivery.Commit);
                break;
            case 6:
                ReadAfter(shared.Delivery, shared.Delivery.Abandon);
                break;
            case 7:
                ReadAfter(shared.Delivery, () => Drain(shared.Consumer));
                break;
            case 8:
                shared.Consumer.CommitThrough(shared.Consumer.Position + random.Next(1_000));
                break;
            case 9:
                shared.Consumer.Seek(random.Next(2) == 0 ? QueueStart.Earliest : QueueStart.Latest);
                break;
            case 10 when random.Next(20) == 0:
                ReadAfter(shared.Delivery, () => shared.Reopen(random));
                break;
            case 11:
                shared.Reader.TryRead(out var seen);
                ReadAfter(seen, () => Drain(shared.Consumer));
                break;
            case 12:
                shared.Member.TryRead(out var taken);
                ReadAfter(taken, taken.Commit);
                break;
            default:
                Drain(shared.Consumer);
                break;
        }
    }

    // The compiler carries the view with the delivery that is passed; what the action closes it does not know.
    private static void ReadAfter(in Delivery<RawMessage> delivery, Action action)
    {
        var bytes = delivery.Message.Bytes;
        action();
        foreach (var value in bytes)
        {
            _sum += value;
        }
    }

    private static void FillAfterCommit(MessageProducer producer, int bytes)
    {
        if (producer.TryClaim(bytes, out var claim))
        {
            using (claim)
            {
                Fill(claim, claim.Span);
            }
        }
    }

    private static void Fill(MessageClaim claim, Span<byte> span)
    {
        claim.Commit(span.Length);
        span.Fill(7);
    }

    private static void Drain(MessageConsumer<RawMessage> consumer)
    {
        for (var i = 0; i < 100 && consumer.TryRead(out var delivery); i++)
        {
            delivery.Commit();
        }
    }

    private sealed class Shared
    {
        private readonly MessageQueue _queue;

        public Shared(MessageQueue queue)
        {
            _queue = queue;
            Producer = queue.OpenProducer();
            Consumer = queue.OpenConsumer<RawMessage>("one");
            Member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
            Reader = queue.OpenReader<RawMessage>();
        }

        public MessageProducer Producer;
        public MessageConsumer<RawMessage> Consumer;
        public MessageConsumer<RawMessage> Member;
        public MessageReader<RawMessage> Reader;
        public Delivery<RawMessage> Delivery;

        public void Reopen(Random random)
        {
            switch (random.Next(4))
            {
                case 0:
                    Producer.Dispose();
                    Producer = _queue.OpenProducer();
                    break;
                case 1:
                    Delivery.Dispose();
                    Consumer.Dispose();
                    Consumer = _queue.OpenConsumer<RawMessage>("one");
                    break;
                case 2:
                    Member.Dispose();
                    Member = _queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
                    break;
                default:
                    Reader.Dispose();
                    Reader = _queue.OpenReader<RawMessage>();
                    break;
            }
        }
    }
}
