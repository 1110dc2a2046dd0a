using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>Packs the next messages of a queue into runs.</summary>
internal sealed class RunPacker(ForwarderContext context, MessageConsumer<RawMessage> consumer) : IDisposable
{
    private const int LeastBodyBytes = 256;

    // A message that was read and did not fit into the run before.
    private Delivery<RawMessage> _held;
    private bool _isHeld;
    private long _durablePosition;
    private int _lastBodyBytes = LeastBodyBytes;

    // When the run was begun.
    private long _start;

    /// <summary>Waits for a message that a run has room for; false if none comes in time. Null to wait for none.</summary>
    public Func<TimeSpan, CancellationToken, ValueTask<bool>>? WaitForMore { get; set; }

    /// <summary>Packs the messages that are there, up to the limits of a run.</summary>
    /// <returns>The run; null if no message is there.</returns>
    /// <exception cref="MessageTooLargeException">A message does not fit into the stream.</exception>
    public async ValueTask<RunBuilder?> TryPackAsync(CancellationToken stop)
    {
        if (!TryTake())
        {
            return null;
        }

        _start = Stopwatch.GetTimestamp();
        var run = new RunBuilder(_lastBodyBytes);
        var epoch = _held.Id.Epoch;
        try
        {
            while (await TryAddAsync(run, epoch, stop).ConfigureAwait(false))
            {
            }
        }
        catch
        {
            run.Dispose();
            throw;
        }

        // The next run is probably as large.
        _lastBodyBytes = Math.Max(run.BodyBytes, LeastBodyBytes);
        return run;
    }

    public void Dispose() => _held.Dispose();

    // Adds the next message, if there is one and the run has room for it.
    private async ValueTask<bool> TryAddAsync(RunBuilder run, long epoch, CancellationToken stop)
    {
        if (run.Count >= context.Options.BatchMessages || run.BodyBytes >= context.Options.BatchBytes || !await TryTakeInTimeAsync(run, stop).ConfigureAwait(false))
        {
            return false;
        }

        if (_held.Id.Epoch != epoch || !await TryMakeDurableAsync(run, stop).ConfigureAwait(false))
        {
            return false;
        }

        return TryAddHeld(run, stop);
    }

    private async ValueTask<bool> TryTakeInTimeAsync(RunBuilder run, CancellationToken stop) =>
        TryTake() || (run.Count != 0 && WaitForMore is { } wait && RestOfDelay() is var rest && rest > TimeSpan.Zero && await wait(rest, stop).ConfigureAwait(false) && TryTake());

    private TimeSpan RestOfDelay() => context.Options.BatchDelay - Stopwatch.GetElapsedTime(_start);

    private bool TryTake() => _isHeld = _isHeld || consumer.TryRead(out _held);

    // A run ends before the first message that is not on the disk. At the beginning of a run that message, and all that are published by now, are flushed.
    private async ValueTask<bool> TryMakeDurableAsync(RunBuilder run, CancellationToken stop)
    {
        if (!context.IsDurableOnly || _held.Position < _durablePosition)
        {
            return true;
        }

        _durablePosition = context.Queue.DurablePosition;
        if (_held.Position < _durablePosition)
        {
            return true;
        }

        if (run.Count != 0)
        {
            return false;
        }

        await context.Queue.WaitForDurableAsync(_held.Position, Timeout.InfiniteTimeSpan, stop).ConfigureAwait(false);
        _durablePosition = context.Queue.DurablePosition;
        return true;
    }

    private bool TryAddHeld(RunBuilder run, CancellationToken stop)
    {
        var payload = _held.Message.Bytes;
        var properties = _held.Properties.Entries;
        var (id, end) = (_held.Id, new ChainPlace(_held.Id.Epoch, _held.End));
        var isSingle = context.Options.BatchMessages == 1;
        var bytes = isSingle ? payload.Length : RunRecord.Bytes(payload.Length, properties.Length);
        if (bytes > context.Stream.MaxBodyBytes)
        {
            LeaveOut(payload, id, stop);
            run.Pass(id.Position, end);
        }
        else if (isSingle)
        {
            run.SetSingle(id.Position, end, payload, properties);
        }
        else if (run.BodyBytes + bytes <= context.Stream.MaxBodyBytes)
        {
            run.Add(id.Position, end, payload, properties);
        }
        else
        {
            return false;
        }

        _isHeld = false;
        return true;
    }

    private void LeaveOut(ReadOnlySpan<byte> payload, MessageId id, CancellationToken stop)
    {
        var failure = new MessageTooLargeException(
            $"The message at position {id.Position} has {payload.Length} bytes; stream '{context.Stream.Name}' takes at most {context.Stream.MaxBodyBytes} with its header. " +
            "Raise the limit of the broker and of the stream's options, or set OnTooLarge to DeadLetter.",
            payload.Length,
            context.Stream.MaxBodyBytes);
        if (context.Options.OnTooLarge == OversizedMessages.Stop)
        {
            throw failure;
        }

        context.DeadLetters.AddInOrder(payload, id, failure.Message, stop);
    }
}
