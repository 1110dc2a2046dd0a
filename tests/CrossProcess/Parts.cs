using BufferedMessages.Queues;
using System.Diagnostics;
using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>What a started process does. It speaks to the test in lines.</summary>
internal static class Parts
{
    public const long SegmentBytes = QueueGeometry.MinSegmentBytes;

    /// <summary>Messages of a filler's size, of which one passes the end of a segment.</summary>
    public const int SegmentFillers = 4;

    public const int FillerBytes = 20_000;

    /// <summary>The name whose members compete.</summary>
    public const string Group = "workers";

    public static MessageQueue Open(string directory) => MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = SegmentBytes });

    public static MessageQueue Open(string directory, QueueMode mode) =>
        MessageQueue.Open(directory, new MessageQueueOptions { Mode = mode, SegmentBytes = SegmentBytes });

    public static void CreateForOneProducer(string directory) =>
        MessageQueue.Open(directory, new MessageQueueOptions { Producers = ProducerMode.Single, SegmentBytes = SegmentBytes }).Dispose();

    /// <summary>Creates a queue, with everything that its first message needs.</summary>
    public static void CreateQueue(string[] arguments)
    {
        using var queue = Open(arguments[0], Enum.Parse<QueueMode>(arguments[1]));
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer(new() { StampTime = true });
        Say("created");
    }

    /// <summary>Opens a queue when it is told to, and closes it when it is told to.</summary>
    public static void OpenQueue(string[] arguments)
    {
        Say("ready");
        AwaitWord();
        using var queue = Open(arguments[0]);
        using var consumer = queue.OpenConsumer<RawMessage>(arguments[1]);
        Say("opened");
        AwaitWord();
    }

    /// <summary>Creates queue after queue, to be killed at it.</summary>
    public static void CreateQueues(string[] arguments)
    {
        Say("ready");
        for (var i = 0; ; i++)
        {
            using var queue = Open(Path.Combine(arguments[0], i.ToString(CultureInfo.InvariantCulture)));
            using var producer = queue.OpenProducer(new() { StampTime = true });
        }
    }

    /// <summary>Deletes a queue.</summary>
    public static void DeleteQueue(string[] arguments) => Say($"{MessageQueue.Delete(arguments[0])}");

    /// <summary>Deletes a consumer name.</summary>
    public static void DeleteName(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        Say($"{queue.DeleteConsumer(arguments[1])}");
    }

    /// <summary>Holds the producer, and publishes each time it is told to.</summary>
    public static void HoldProducer(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        using var producer = queue.OpenProducer(new() { StampTime = true });
        Say("ready");
        while (AwaitWord())
        {
            producer.Publish("still here"u8);
            Say("published");
        }
    }

    /// <summary>Holds a consumer name.</summary>
    public static void HoldConsumer(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        using var consumer = queue.OpenConsumer<RawMessage>(arguments[1]);
        Say("ready");
        AwaitWord();
    }

    /// <summary>Publishes one message, and holds a claim that it has written to.</summary>
    public static void HoldClaim(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        using var producer = queue.OpenProducer(new() { StampTime = true });
        producer.Publish("published"u8);
        using var claim = producer.Claim(1_000);
        claim.Span.Fill(0xFF);
        Say("ready");
        AwaitWord();
        claim.Commit(1_000);
    }

    /// <summary>Opens so many members of a group, and takes a message with each.</summary>
    public static void TakeMessages(string[] arguments)
    {
        using var queue = Open(arguments[0], Enum.Parse<QueueMode>(arguments[1]));
        var members = Enumerable.Range(0, int.Parse(arguments[2], CultureInfo.InvariantCulture)).Select(_ => queue.OpenConsumer<RawMessage>(Group, new() { Shared = true })).ToList();
        var taken = members.Count(member => member.TryRead(out _));
        Say(taken.ToString(CultureInfo.InvariantCulture));
        AwaitWord();
    }

    /// <summary>Opens a member of a group, waits so many milliseconds for a message, and commits it: each when it is told to.</summary>
    public static void ReadAsMember(string[] arguments)
    {
        using var queue = Open(arguments[0], Enum.Parse<QueueMode>(arguments[1]));
        Say("ready");
        AwaitWord();
        using (var member = queue.OpenConsumer<RawMessage>(Group, new() { Shared = true }))
        {
            Say("open");
            AwaitWord();
            var isTaken = member.TryRead(out var delivery, TimeSpan.FromMilliseconds(int.Parse(arguments[2], CultureInfo.InvariantCulture)));
            using (delivery)
            {
                Say(isTaken ? Describe(delivery) : "nothing");
                FaultPoints.Hit(FaultPoint.MidRead);
                AwaitWord();
                if (isTaken)
                {
                    delivery.Commit();
                }
            }
        }

        Say("closed");
    }

    /// <summary>Takes a message as a member of a group, and commits it when it is told to.</summary>
    public static void HoldMessage(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        using var member = queue.OpenConsumer<RawMessage>(Group, new() { Shared = true });
        using (var delivery = member.TryRead(out var taken) ? taken : throw new InvalidOperationException("The queue has no message."))
        {
            Say("ready");
            AwaitWord();
            Say(Describe(delivery));
            delivery.Commit();
        }

        Say("committed");
        AwaitWord();
    }

    /// <summary>A message of text, and whether it is flagged.</summary>
    public static string Describe(Delivery<RawMessage> delivery) => $"{System.Text.Encoding.UTF8.GetString(delivery.Message.Bytes)} {(delivery.IsRedelivery ? "again" : "new")}";

    /// <summary>Publishes more than the rest of the first segment of a bounded queue.</summary>
    public static void FillSegment(string[] arguments)
    {
        using var queue = Open(arguments[0], QueueMode.Bounded);
        using var producer = queue.OpenProducer(new() { StampTime = true });
        Say("ready");
        for (var i = 0; i < SegmentFillers; i++)
        {
            producer.Publish(new byte[FillerBytes]);
        }

        Say("filled");
    }

    /// <summary>Opens participants, cuts the control file, and closes them: after the watch over the files, or before it.</summary>
    public static void CloseAfterCut(string[] arguments)
    {
        using var lost = new ManualResetEventSlim();
        var options = new MessageQueueOptions
        {
            SegmentBytes = SegmentBytes,
            Flush = FlushMode.Interval,
            FlushInterval = TimeSpan.FromHours(1),
            OnEvent = heard =>
            {
                if (heard.Kind == QueueEventKind.FilesLost)
                {
                    lost.Set();
                }
            },
        };
        using (var queue = MessageQueue.Open(arguments[0], options))
        using (var producer = queue.OpenProducer())
        using (var claimant = queue.OpenProducer())
        using (var idle = queue.OpenConsumer<RawMessage>("idle"))
        using (var reading = queue.OpenConsumer<RawMessage>("reading"))
        using (var member = queue.OpenConsumer<RawMessage>(Group, new() { Shared = true }))
        {
            producer.Publish("published"u8);
            using var delivery = reading.TryRead(out var taken) ? taken : throw new InvalidOperationException("The queue has no message.");
            using var claim = claimant.Claim(1_000);
            using (var control = new FileStream(Path.Combine(arguments[0], ControlMap.FileName), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            {
                control.SetLength(0);
            }

            if (arguments[1] == "after")
            {
                lost.Wait();
            }
            else
            {
                // Those in use are closed when their use ends.
                claimant.Dispose();
                reading.Dispose();
            }
        }

        Say("closed");
    }

    /// <summary>Opens so many consumers that wait in vain, and says which share of a processor they took: the least of some times, since what the process began with may last longer than the first.</summary>
    public static void WaitIdly(string[] arguments)
    {
        const int Times = 6;
        using var queue = Open(arguments[0], QueueMode.Bounded);
        var consumers = Enumerable.Range(0, int.Parse(arguments[1], CultureInfo.InvariantCulture)).Select(i => queue.OpenConsumer<RawMessage>($"{i}")).ToList();
        var waits = consumers.ConvertAll(consumer => arguments[2] == "async"
            ? consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan).AsTask()
            : Task.Factory.StartNew(() => consumer.TryRead(out _, Timeout.InfiniteTimeSpan), TaskCreationOptions.LongRunning));

        // What starting costs does not count.
        Thread.Sleep(500);
        Say("ready");
        using var process = Process.GetCurrentProcess();
        var least = double.MaxValue;
        for (var time = 0; time < Times; time++)
        {
            process.Refresh();
            var (before, start) = (process.TotalProcessorTime, Stopwatch.GetTimestamp());
            Thread.Sleep(500);
            process.Refresh();
            least = Math.Min(least, (process.TotalProcessorTime - before) / Stopwatch.GetElapsedTime(start));
        }

        Say(waits.Exists(static one => one.IsCompleted) ? "A wait has ended." : least.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Waits for a message, at most so many milliseconds.</summary>
    public static void AwaitMessage(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        using var consumer = queue.OpenConsumer<RawMessage>(arguments[1]);
        Say("ready");
        var timeout = TimeSpan.FromMilliseconds(int.Parse(arguments[2], CultureInfo.InvariantCulture));
        if (consumer.TryRead(out var delivery, timeout))
        {
            Say(System.Text.Encoding.UTF8.GetString(delivery.Message.Bytes));
            delivery.Commit();
        }
        else
        {
            Say("timeout");
        }
    }

    /// <summary>Opens a queue of values as if it held others.</summary>
    public static void OpenOtherValues(string[] arguments)
    {
        using var queue = Open(arguments[0]);
        try
        {
            using var consumer = queue.OpenConsumer<ValueMessage<int>>("other");
            Say("accepted");
        }
        catch (SchemaMismatchException exception)
        {
            Say(exception.Message);
        }
    }

    /// <summary>Publishes numbered messages of a generation, and notes each one after it was published.</summary>
    public static void Produce(string[] arguments)
    {
        using var notes = new Notes(arguments[1]);
        var generation = int.Parse(arguments[2], CultureInfo.InvariantCulture);
        using var queue = Open(arguments[0]);
        using var producer = queue.OpenProducer(new() { StampTime = true });
        Span<byte> buffer = stackalloc byte[NumberedMessage.MaxBytes];
        Say("ready");
        for (var number = 0; ; number++)
        {
            if (number % 3 == 0)
            {
                using var claim = producer.Claim(NumberedMessage.MaxBytes);
                claim.Span.Fill(0xEE);
                claim.Commit(NumberedMessage.Write(claim.Span, generation, number));
            }
            else
            {
                producer.Publish(buffer[..NumberedMessage.Write(buffer, generation, number)]);
            }

            notes[generation] = number + 1;
        }
    }

    /// <summary>
    /// Reads numbered messages, and notes how many were delivered before it looks at one, and how many were surely committed after that.
    /// </summary>
    public static void Consume(string[] arguments)
    {
        using var notes = new Notes(arguments[2]);
        using var queue = Open(arguments[0]);
        using var consumer = queue.OpenConsumer<RawMessage>(arguments[1]);
        var expected = -1L;
        Say("ready");
        if (arguments[3] == "leases")
        {
            while (consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan))
            {
                using (delivery)
                {
                    ConsumerNotes.Deliver(notes, delivery.Message.Bytes, ref expected);
                    delivery.Commit();
                    notes[ConsumerNotes.Committed] = expected;
                }
            }
        }

        foreach (var delivery in consumer.ReadAll())
        {
            if (expected >= 0)
            {
                notes[ConsumerNotes.Committed] = expected;
            }

            ConsumerNotes.Deliver(notes, delivery.Message.Bytes, ref expected);
        }
    }

    private static void Say(string line) => Console.Out.WriteLine(line);

    private static bool AwaitWord() => Console.In.ReadLine() is not null;
}
