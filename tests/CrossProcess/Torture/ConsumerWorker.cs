using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Reads in all ways there are, checks each message, and notes what was delivered and committed.</summary>
internal sealed class ConsumerWorker(WorkerRole role, RoundNotes notes, CancellationToken drain)
{
    // The last two of them are leases, which alone tell how long they waited.
    private const int ReadWays = 4;
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
            using var consumer = Worker.Open(notes, () => role.Kind == WorkerKind.Member ? queue.OpenGroupConsumer(name) : queue.OpenConsumer(name));
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

    private void Read(QueueConsumer consumer)
    {
        var end = 1 + _random.Next(_random.Next(2) == 0 ? 100 : MessagesBeforeReopening);
        switch (role.Haste == ProducerWorker.InPairs ? ReadWays : _random.Next(ReadWays))
        {
            case 0:
                ReadInLoop(consumer, end);
                break;
            case 1:
                ReadAsync(consumer, end);
                break;
            default:
                ReadInLeases(consumer, end);
                break;
        }
    }

    private void ReadInLeases(QueueConsumer consumer, int end)
    {
        for (var i = 0; i < end && !notes.Head.Drain; i++)
        {
            var timeout = TimeSpan.FromMilliseconds(_random.Next(400));
            _watch.Restart();
            var start = Stopwatch.GetTimestamp();
            if (consumer.TryRead(out var lease, timeout))
            {
                var now = Stopwatch.GetTimestamp();
                Handle(lease);
                _check.CheckWake(start, now, _watch.Lateness);
            }
        }
    }

    private void ReadAsync(QueueConsumer consumer, int end)
    {
        for (var i = 0; i < end && !notes.Head.Drain; i++)
        {
            if (consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(_random.Next(100))).AsTask().GetAwaiter().GetResult())
            {
                if (consumer.TryRead(out var lease))
                {
                    Handle(lease);
                }
            }
        }
    }

    private void Handle(QueueLease lease)
    {
        using (lease)
        {
            _check.Deliver(lease.Payload, lease.Position, lease.IsRedelivery);
            Hold(lease.Payload);
            Progress();
            if (_random.Next(500) == 0)
            {
                // It must come again: to this consumer, or flagged to another member when this one is closed before.
                _check.Abandon();
                return;
            }

            lease.Commit();
            _check.Commit();
        }
    }

    private void ReadInLoop(QueueConsumer consumer, int end)
    {
        var read = 0;
        foreach (var payload in consumer.ReadAll(drain))
        {
            if (read++ > 0)
            {
                _check.Commit();
            }

            _check.Deliver(payload, position: null, isRedelivery: null);
            Hold(payload);
            Progress();
            if (read == end)
            {
                _check.Abandon();
                break;
            }
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
