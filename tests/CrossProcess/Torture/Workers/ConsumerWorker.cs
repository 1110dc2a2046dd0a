using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Reads in all ways there are, checks each message, and notes what was delivered and committed.</summary>
internal sealed class ConsumerWorker(WorkerRole role, RoundNotes notes, CancellationToken drain)
{
    // The last two of them are single reads, which alone tell how long they waited.
    private const int ReadWays = 5;
    private const int MostAhead = 20;
    private const int MessagesBeforeReopening = 4_000;

    private readonly Random _random = new(role.Seed);
    private readonly DeliveryCheck _check = new(notes, role.Name, role.Kind == WorkerKind.Member, role.IsCalm);
    private readonly LatenessWatch _watch = new();

    public void Run()
    {
        using var queue = MessageQueue.Open(role.Queue, role.Options);
        while (!notes.Head.Drain)
        {
            var name = TortureNames.Of(role.Name);
            using var consumer = Worker.Open(notes, () => role.Kind == WorkerKind.Member ? queue.OpenConsumer<RawMessage>(name, new() { Shared = true }) : queue.OpenConsumer<RawMessage>(name, new() { MessagesPerCommit = 1 << _random.Next(8) }));
            notes.WorkerAt(role.Index).State = WorkerState.Running;
            Interlocked.Increment(ref notes.Head.Openings[role.Name]);
            try
            {
                Read(consumer);
            }
            catch (OperationCanceledException)
            {
            }
        }
    }

    private void Read(MessageConsumer<RawMessage> consumer)
    {
        var end = 1 + _random.Next(_random.Next(2) == 0 ? 100 : MessagesBeforeReopening);
        switch (role.Haste == ProducerWorker.InPairs ? WayThatWaits() : _random.Next(ReadWays))
        {
            case 0:
                ReadInLoop(consumer, end);
                break;
            case 1:
                ReadAsync(consumer, end);
                break;
            case 2 when role.Kind != WorkerKind.Member:
                ReadAhead(consumer, end);
                break;
            default:
                ReadOneByOne(consumer, end);
                break;
        }
    }

    private int WayThatWaits() => _random.Next(2) == 0 ? 1 : ReadWays;

    private void ReadOneByOne(MessageConsumer<RawMessage> consumer, int end)
    {
        for (var i = 0; i < end && !notes.Head.Drain; i++)
        {
            var isWithinBatch = i > 0 && role.Kind != WorkerKind.Member && _check.IsWithinBatch;
            var timeout = isWithinBatch ? TimeSpan.Zero : TimeSpan.FromMilliseconds(_random.Next(400));
            _watch.Restart();
            var start = Stopwatch.GetTimestamp();
            if (consumer.TryRead(out var delivery, timeout))
            {
                var now = Stopwatch.GetTimestamp();
                Handle(delivery);
                _check.CheckWake(start, now, _watch.Lateness);
            }
            else if (isWithinBatch)
            {
                _check.MissRestOfBatch();
            }
        }
    }

    private void ReadAsync(MessageConsumer<RawMessage> consumer, int end)
    {
        for (var i = 0; i < end && !notes.Head.Drain; i++)
        {
            _watch.Restart();
            var start = Stopwatch.GetTimestamp();
            if (consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(_random.Next(400))).AsTask().GetAwaiter().GetResult() && consumer.TryRead(out var delivery))
            {
                var now = Stopwatch.GetTimestamp();
                Handle(delivery);
                _check.CheckWake(start, now, _watch.Lateness);
            }
        }
    }

    private void Handle(Delivery<RawMessage> delivery)
    {
        using (delivery)
        {
            _check.Deliver(delivery.Message.Bytes, delivery.Position, delivery.IsRedelivery);
            CheckProperties(delivery.Message.Bytes, delivery.Properties);
            Hold(delivery.Message.Bytes);
            Progress();
            if (_random.Next(500) == 0)
            {
                // It must come again: to this consumer, or flagged to another member when this one is closed before.
                _check.Abandon();
                return;
            }

            delivery.Commit();
            _check.Commit();
        }
    }

    // Reads on while earlier messages are not committed, and commits several at once. What is left uncommitted must come again, flagged if it was read on from.
    private void ReadAhead(MessageConsumer<RawMessage> consumer, int end)
    {
        var ahead = new List<(long Position, (int, int, bool) Message)>();
        for (var i = 0; i < end && !notes.Head.Drain; i++)
        {
            if (!consumer.TryRead(out var delivery, TimeSpan.FromMilliseconds(_random.Next(100))))
            {
                CommitAhead(consumer, ahead, ahead.Count - 1);
                continue;
            }

            _check.Deliver(delivery.Message.Bytes, delivery.Position, delivery.IsRedelivery);
            CheckProperties(delivery.Message.Bytes, delivery.Properties);
            Hold(delivery.Message.Bytes);
            Progress();
            ahead.Add((delivery.Position, _check.Last));
            if (ahead.Count >= _random.Next(1, MostAhead))
            {
                CommitAhead(consumer, ahead, _random.Next(ahead.Count));
            }

            if (i + 1 == end || notes.Head.Drain)
            {
                CommitAhead(consumer, ahead, ahead.Count - 1);
            }
        }

        CommitAhead(consumer, ahead, ahead.Count - 1);
    }

    private void CommitAhead(MessageConsumer<RawMessage> consumer, List<(long Position, (int, int, bool) Message)> ahead, int last)
    {
        if (last < 0)
        {
            return;
        }

        consumer.CommitThrough(ahead[last].Position);
        foreach (var (_, message) in ahead.Take(last + 1))
        {
            _check.Commit(message);
        }

        ahead.RemoveRange(0, last + 1);
    }

    private void ReadInLoop(MessageConsumer<RawMessage> consumer, int end)
    {
        // The loop is done with these: it commits several at once.
        var handled = new Queue<(long Position, (int, int, bool) Message)>();
        var read = 0;
        foreach (var delivery in consumer.ReadAll(drain))
        {
            var committed = role.Kind == WorkerKind.Member ? long.MaxValue : consumer.Position;
            while (handled.TryPeek(out var next) && next.Position < committed)
            {
                _check.Commit(handled.Dequeue().Message);
            }

            _check.Deliver(delivery.Message.Bytes, delivery.Position, delivery.IsRedelivery);
            CheckProperties(delivery.Message.Bytes, delivery.Properties);
            Hold(delivery.Message.Bytes);
            Progress();
            if (++read == end)
            {
                _check.Abandon();
                break;
            }

            handled.Enqueue((delivery.Position, _check.Last));
        }

        foreach (var (_, message) in handled)
        {
            _check.Commit(message);
        }
    }

    private void CheckProperties(ReadOnlySpan<byte> payload, DeliveryProperties properties)
    {
        if (payload.Length != 0 && !TortureMessage.HasItsProperties(payload, properties))
        {
            notes.Fault(ref notes.Head.Corrupt, $"name {role.Name}: a message has other properties than it was published with");
        }
    }

    private void Hold(ReadOnlySpan<byte> payload)
    {
        FaultPoints.Hit(FaultPoint.MidRead);
        if (_random.Next(200) == 0)
        {
            Thread.Sleep(_random.Next(6));
        }

        if (payload.Length != 0 && !TortureMessage.TryRead(payload, out _, out _))
        {
            notes.Fault(ref notes.Head.Corrupt, $"name {role.Name}: a message changed while it was read");
        }
    }

    private void Progress()
    {
        ref var progress = ref notes.WorkerAt(role.Index).Progress;
        Volatile.Write(ref progress, progress + 1);
    }
}
