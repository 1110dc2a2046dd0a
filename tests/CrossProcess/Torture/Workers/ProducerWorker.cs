using System.Diagnostics;
using System.Numerics;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Publishes in all ways there are, and notes what is published.</summary>
internal sealed class ProducerWorker(WorkerRole role, RoundNotes notes)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(20);

    /// <summary>A haste: two messages soon after each other, then a pause longer than any sleep of a consumer.</summary>
    public const int InPairs = -1;

    // For the time that the producer may stamp, and for the properties.
    private const int PropertyRoom = 200;

    private static readonly TimeSpan PairPause = TimeSpan.FromMilliseconds(120);
    private readonly Random _random = new(role.Seed);
    private readonly byte[] _buffer = new byte[TortureMessage.MaxBytes];

    public void Run()
    {
        using var queue = MessageQueue.Open(role.Queue, role.Options);
        while (!notes.Head.Stop)
        {
            using var producer = Worker.Open(notes, () => queue.OpenProducer(new() { StampTime = _random.Next(2) == 0 }));
            AwaitBegin();
            notes.WorkerAt(role.Index).State = WorkerState.Running;
            do
            {
                PublishIncarnation(queue, producer);
            }
            while (!notes.Head.Stop && _random.Next(3) != 0);
        }
    }

    private void AwaitBegin()
    {
        while (!Volatile.Read(ref notes.Head.IsBegun) && !notes.Head.Stop)
        {
            Thread.Sleep(1);
        }
    }

    private void PublishIncarnation(MessageQueue queue, MessageProducer producer)
    {
        var incarnation = Interlocked.Increment(ref notes.Head.Incarnations) - 1;
        var end = 1 << _random.Next(1, BitOperations.Log2(RoundNotes.MaxNumbers) + 1);
        for (var number = 0; number < end && !notes.Head.Stop;)
        {
            var count = TortureMessage.BatchOf(incarnation, number).Count;
            if (number + count > end)
            {
                return;
            }

            // A batch that is given up ends the incarnation, since its numbers must never come; so a round has only some.
            if (count > 1 && incarnation < RoundNotes.MaxIncarnations / 4 && _random.Next(16) == 0)
            {
                AbandonBatch(producer, incarnation, number, count);
                return;
            }

            var length = TortureMessage.Length(incarnation, number, producer.MaxMessageBytes - PropertyRoom);
            long? position;
            while ((position = count == 1 ? TryPublish(producer, incarnation, number, length) : TryPublishBatch(producer, incarnation, number, count)) is null)
            {
                if (notes.Head.Stop)
                {
                    return;
                }
            }

            CheckFlushed(queue, position.Value);
            for (var published = number; published < number + count; published++)
            {
                notes.NoteTime(incarnation, published);
                if (TortureMessage.IsEmpty(incarnation, published))
                {
                    Interlocked.Increment(ref notes.Head.EmptyPublished);
                }
            }

            number += count;
            Volatile.Write(ref notes.Published(incarnation), number);
            Volatile.Write(ref notes.WorkerAt(role.Index).Progress, notes.WorkerAt(role.Index).Progress + 1);
            Rest(number - 1);
        }
    }

    // A message that is gone already, since all have read it, needs no flush.
    private void CheckFlushed(MessageQueue queue, long position)
    {
        if (role.Options.Flush == FlushMode.EveryMessage && queue.DurablePosition <= position && queue.GetStatistics().FirstPosition <= position)
        {
            notes.Fault(ref notes.Head.Corrupt, $"the message at {position} is published, and flushed is what lies before {queue.DurablePosition}");
        }
    }

    private void Rest(int number)
    {
        if (role.Haste == InPairs)
        {
            RestAfterPair(number);
        }
        else if (_random.Next(100) >= role.Haste)
        {
            Thread.Sleep(_random.Next(3));
        }
    }

    // The second message comes when consumers may just fall asleep, and no third one that wakes them.
    private void RestAfterPair(int number)
    {
        if (number % 2 == 1)
        {
            Thread.Sleep(PairPause);
            return;
        }

        var start = Stopwatch.GetTimestamp();
        var pause = TimeSpan.FromMicroseconds(_random.Next(2_000));
        while (Stopwatch.GetElapsedTime(start) < pause)
        {
            Thread.Yield();
        }
    }

    /// <summary>Publishes a message in some way, and gives its position; null when it did not.</summary>
    private long? TryPublish(MessageProducer producer, int incarnation, int number, int length)
    {
        var properties = TortureMessage.PropertiesOf(incarnation, number, length);
        switch (_random.Next(14))
        {
            case 0:
                return TryClaim(producer, incarnation, number, length, length, properties);
            case 1:
                return TryClaim(producer, incarnation, number, length, Math.Max(length, Math.Min(length + _random.Next(300), producer.MaxMessageBytes - PropertyRoom)), properties);
            case 2 when producer.TryClaim(_random.Next(500), out var abandoned, Timeout):
                abandoned.Span.Fill(0xEE);
                abandoned.Dispose();
                return null;
            case 3 when length > 0:
                TortureMessage.Write(_buffer.AsSpan(0, length), incarnation, number);
                return TryPublishAsync(producer, length, properties);
            case < 11 when length > 0:
                return TryPublishObject(producer, incarnation, number, length, properties);
            default:
                TortureMessage.Write(_buffer.AsSpan(0, length), incarnation, number);
                return producer.TryPublish(_buffer.AsSpan(0, length), out var position, Timeout, properties) ? position : null;
        }
    }

    // An object that is refused has left nothing; the message is published in some way later.
    private long? TryPublishObject(MessageProducer producer, int incarnation, int number, int length, MessageProperties? properties)
    {
        var fault = SomeFault();
        try
        {
            return TortureSource.ProducerOn(producer).TryPublish(new TortureSource(incarnation, number, length, fault), out var position, Timeout, properties) ? position : null;
        }
        catch (Exception exception) when (IsOf(fault, exception))
        {
            return null;
        }
    }

    private static bool IsOf(SourceFault fault, Exception exception) => fault switch
    {
        SourceFault.Throws => exception is SourceFaultException,
        SourceFault.SaysLess => exception is ArgumentException,
        SourceFault.ReturnsNegative => exception is InvalidOperationException,
        _ => false,
    };

    private SourceFault SomeFault() => _random.Next(4) == 0 ? (SourceFault)_random.Next(1 + (int)SourceFault.ReturnsNegative) : SourceFault.None;

    /// <summary>Publishes a batch, and gives its position; null when it did not.</summary>
    private long? TryPublishBatch(MessageProducer producer, int incarnation, int first, int count)
    {
        if (TortureMessage.IsInBatchOfObjects(incarnation, first))
        {
            return TryPublishObjects(producer, incarnation, first, count);
        }

        if (!producer.TryClaimBatch(count * (TortureMessage.MaxBytesInBatch + PropertyRoom), out var batch, Timeout))
        {
            return null;
        }

        try
        {
            Add(ref batch, incarnation, first, count);
            return batch.Publish();
        }
        finally
        {
            batch.Dispose();
        }
    }

    // One of the objects may have a fault; then nothing of the batch may come.
    private long? TryPublishObjects(MessageProducer producer, int incarnation, int first, int count)
    {
        var fault = SomeFault();
        var faulty = _random.Next(count);
        var sources = new TortureSource[count];
        for (var i = 0; i < count; i++)
        {
            var length = TortureMessage.Length(incarnation, first + i, TortureMessage.MaxBytesInBatch);
            sources[i] = new TortureSource(incarnation, first + i, length, i == faulty && length > 0 ? fault : SourceFault.None);
        }

        try
        {
            return TortureSource.ProducerOn(producer).TryPublishAll(sources, out var position, Timeout) ? position : null;
        }
        catch (Exception exception) when (IsOf(fault, exception))
        {
            return null;
        }
    }

    /// <summary>Writes some messages of a batch, or all of them, and gives it up: none of them may come.</summary>
    private void AbandonBatch(MessageProducer producer, int incarnation, int first, int count)
    {
        if (producer.TryClaimBatch(count * (TortureMessage.MaxBytesInBatch + PropertyRoom), out var batch, Timeout))
        {
            Add(ref batch, incarnation, first, 1 + _random.Next(count));
            batch.Dispose();
        }
    }

    private void Add(ref MessageBatch batch, int incarnation, int first, int count)
    {
        for (var number = first; number < first + count; number++)
        {
            Add(ref batch, incarnation, number);
        }
    }

    private void Add(ref MessageBatch batch, int incarnation, int number)
    {
        var length = TortureMessage.Length(incarnation, number, TortureMessage.MaxBytesInBatch);
        var properties = TortureMessage.PropertiesOf(incarnation, number, length);
        if (_random.Next(2) == 0)
        {
            TortureMessage.Write(_buffer.AsSpan(0, length), incarnation, number);
            Require(batch.TryAdd(_buffer.AsSpan(0, length), properties));
            return;
        }

        Require(batch.TryClaim(length + _random.Next(20), out var bytes, properties));
        bytes.Fill(0xEE);
        FaultPoints.Hit(FaultPoint.MidPayload);
        TortureMessage.Write(bytes[..length], incarnation, number);
        batch.Add(length);
    }

    private static void Require(bool hasRoom)
    {
        if (!hasRoom)
        {
            throw new InvalidOperationException("The batch has no room for a message that it was claimed for.");
        }
    }

    private long? TryPublishAsync(MessageProducer producer, int length, MessageProperties? properties)
    {
        try
        {
            return producer.PublishAsync(_buffer.AsMemory(0, length), Timeout, properties).AsTask().GetAwaiter().GetResult();
        }
        catch (TimeoutException)
        {
            return null;
        }
    }

    private static long? TryClaim(MessageProducer producer, int incarnation, int number, int length, int claimed, MessageProperties? properties)
    {
        if (!producer.TryClaim(claimed, out var claim, Timeout, properties))
        {
            return null;
        }

        using (claim)
        {
            claim.Span[(claimed / 2)..].Fill(0xEE);
            FaultPoints.Hit(FaultPoint.MidPayload);
            TortureMessage.Write(claim.Span[..length], incarnation, number);
            return claim.Commit(length);
        }
    }
}
