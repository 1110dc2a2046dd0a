namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="LatencySession"/> that answers.</summary>
internal static class LatencyAnswerer
{
    public const string Role = "latency-answerer";

    private const int BatchMessages = 1_000;

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            if (order[0] == PeerProcess.FloorOrder)
            {
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                AnswerFloor(memory, order[2]);
                PeerProcess.Answer(0);
            }
            else
            {
                using var calls = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], LatencySession.CallQueue));
                using var answers = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], LatencySession.AnswerQueue));
                using var consumer = options.IsGroup ? calls.OpenConsumer<RawMessage>("session", new() { Shared = true }) : calls.OpenConsumer<RawMessage>("session");
                using var producer = answers.OpenProducer();
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                AnswerAll(producer, consumer, options.Wait, LatencySession.LapOf(options, order[2]));
                var allocated = GC.GetTotalAllocatedBytes(precise: true);
                AnswerAll(producer, consumer, options.Wait, order[2]);

                PeerProcess.Answer(GC.GetTotalAllocatedBytes(precise: true) - allocated);
            }
        }
    }

    private static void AnswerAll(MessageProducer producer, MessageConsumer<RawMessage> consumer, WaitMode wait, long messages)
    {
        for (var left = messages; left > 0; left -= BatchMessages)
        {
            Answer(producer, consumer, wait, (int)Math.Min(left, BatchMessages));
        }
    }

    private static void Answer(MessageProducer producer, MessageConsumer<RawMessage> consumer, WaitMode wait, int messages)
    {
        if (wait == WaitMode.Async)
        {
            AnswerAsync(producer, consumer, messages).GetAwaiter().GetResult();
            return;
        }

        for (var i = 0; i < messages; i++)
        {
            var call = consumer.Take(wait);
            producer.Publish(call.Message.Bytes);
            call.Commit();
        }
    }

    private static async Task AnswerAsync(MessageProducer producer, MessageConsumer<RawMessage> consumer, int messages)
    {
        for (var i = 0; i < messages; i++)
        {
            var call = await consumer.ReadAsync();
            producer.Publish(call.Message.Bytes);
            call.Commit();
        }
    }

    private static unsafe void AnswerFloor(SharedMemory memory, long messages)
    {
        var number = Volatile.Read(ref *memory.Answers);
        for (var i = 0L; i < messages; i++)
        {
            number++;
            while (Volatile.Read(ref *memory.Calls) != number)
            {
            }

            Volatile.Write(ref *memory.Answers, number);
        }
    }
}
