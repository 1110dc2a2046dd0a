using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>One connection of a forwarder: it sends runs in order and commits what the broker confirms, until something fails or it is stopped.</summary>
/// <param name="context">The bridge.</param>
/// <param name="consumer">The consumer of the bridge's name, at the confirmed position. It reads on without committing.</param>
/// <param name="writer">The connection.</param>
internal sealed class ForwarderSession(ForwarderContext context, MessageConsumer<RawMessage> consumer, IRunWriter writer) : IDisposable
{
    private static readonly TimeSpan IdleWait = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan InFlightWait = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(5);

    private readonly Queue<InFlightRun> _inFlight = new();
    private readonly RunPacker _packer = new(context, consumer);
    private readonly Guid _queueId = context.Queue.Id;
    private long _inFlightBytes;
    private long _written;
    private long _acknowledged;
    private ulong? _fingerprint;
    private long _schemaTime;
    private ChainPlace _end;
    private bool _isAfterDeletion;
    private bool _isResumed;
    private bool _isFirstConfirmed;
    private Task? _confirm;

    /// <summary>Called once, when the broker has confirmed the first run of messages.</summary>
    public Action? OnFirstConfirm { get; set; }

    // A broker may refuse the first run and store a later one. A receiver of a stream that lost its beginning would begin there, so nothing follows the first run before it is confirmed.
    private bool HasRoom => (!_isResumed || _isFirstConfirmed) && _inFlight.Count < context.Options.MaxInFlightRuns && _inFlightBytes < context.Options.MaxInFlightBytes;

    public async Task RunAsync(CancellationToken stop)
    {
        _packer.WaitForMore = WaitForMoreAsync;
        Begin();
        try
        {
            while (true)
            {
                await SendAllAsync(stop).ConfigureAwait(false);
                await WaitAsync(stop).ConfigureAwait(false);
                Settle();
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            await SettleAllAsync().ConfigureAwait(false);
            throw;
        }
    }

    // The memory of runs in flight belongs to the writer until it is disposed, so it is left to the collector. No confirmation of them comes any more.
    public void Dispose()
    {
        _packer.Dispose();
        _confirm?.ObserveFailure();
        context.Counts.InFlightRuns = 0;
    }

    // The chain continues at the end of the last confirmed message. If that message is deleted, its end is not known, and no receiver may have the consumer's position as its place.
    // Position 0 has no message before it in any epoch, so a queue that a crash has emptied begins before every place.
    private void Begin()
    {
        var queue = context.Queue;
        var end = queue.EndOfMessageBefore(consumer.Position);
        var position = end ?? consumer.Position;
        _isAfterDeletion = end is null && position != 0;
        _end = position == 0 ? default : new ChainPlace(queue.IdOf(position - 1).Epoch, position);
    }

    // The wait for confirms stays open while messages are awaited, so that a lost connection is noticed.
    private async ValueTask WaitAsync(CancellationToken stop)
    {
        var confirm = _confirm ??= writer.WaitForConfirmAsync(_acknowledged, stop).AsTask();
        if (HasRoom && !confirm.IsCompleted)
        {
            await consumer.WaitToReadAsync(_inFlight.Count == 0 ? IdleWait : InFlightWait, stop).ConfigureAwait(false);
        }

        if (!HasRoom || confirm.IsCompleted)
        {
            _confirm = null;
            await confirm.ConfigureAwait(false);
        }
    }

    // A run that waits for more messages holds up neither the commits of those in flight nor the news that the connection is lost.
    private async ValueTask<bool> WaitForMoreAsync(TimeSpan delay, CancellationToken stop)
    {
        var start = Stopwatch.GetTimestamp();
        while (delay - Stopwatch.GetElapsedTime(start) is var rest && rest > TimeSpan.Zero)
        {
            var confirm = _confirm ??= writer.WaitForConfirmAsync(_acknowledged, stop).AsTask();
            if (!confirm.IsCompleted)
            {
                var wait = _inFlight.Count == 0 ? IdleWait : InFlightWait;
                if (await consumer.WaitToReadAsync(rest < wait ? rest : wait, stop).ConfigureAwait(false))
                {
                    return true;
                }
            }

            if (confirm.IsCompleted)
            {
                _confirm = null;
                await confirm.ConfigureAwait(false);
                Settle();
            }
        }

        return false;
    }

    private async ValueTask SendAllAsync(CancellationToken stop)
    {
        while (HasRoom && await _packer.TryPackAsync(stop).ConfigureAwait(false) is { } run)
        {
            await SendSchemaIfNeededAsync(stop).ConfigureAwait(false);
            await SendAsync(run, stop).ConfigureAwait(false);
            Settle();

            // A writer that takes a run at once need not look at the token.
            stop.ThrowIfCancellationRequested();
        }
    }

    // The schema is sent when the connection begins, when it changes, and now and then.
    private async ValueTask SendSchemaIfNeededAsync(CancellationToken stop)
    {
        var fingerprint = context.Queue.ContentFingerprint;
        if (fingerprint == _fingerprint && Stopwatch.GetElapsedTime(_schemaTime) < context.Options.SchemaInterval)
        {
            return;
        }

        var content = context.Queue.Content ?? throw new UnreachableException("A queue with messages has a content.");
        var bytes = RunContent.Encode(content);
        var schema = new RunBuilder(bytes.Length);
        schema.SetSchema(bytes, _end);
        _fingerprint = content.Fingerprint;
        _schemaTime = Stopwatch.GetTimestamp();
        await writer.WriteAsync(Complete(schema, _isResumed ? RunFlags.None : RunFlags.Resumes), stop).ConfigureAwait(false);
        Track(schema);
    }

    private async ValueTask SendAsync(RunBuilder builder, CancellationToken stop)
    {
        var flags = RunFlags.None;
        if (!_isResumed)
        {
            flags = RunFlags.Resumes | (_isAfterDeletion ? RunFlags.AfterDeletion : RunFlags.None);
            _isResumed = true;
        }

        var run = Complete(builder, flags);
        var span = BridgeTraces.StartSend(context.Stream, run);
        try
        {
            await writer.WriteAsync(run, stop).ConfigureAwait(false);
        }
        finally
        {
            QuietTelemetry.Stop(span);
        }

        Track(builder);
        context.Counts.Sent += builder.Count;
    }

    private MessageRun Complete(RunBuilder builder, RunFlags flags)
    {
        var run = builder.Complete(_queueId, _end, flags, _fingerprint ?? 0);
        _end = builder.End;
        return run;
    }

    /// <summary>Counts a run as in flight. One whose sending was cancelled is not: no confirmation of it may come.</summary>
    private void Track(RunBuilder builder)
    {
        _inFlight.Enqueue(new InFlightRun(builder, ++_written));
        _inFlightBytes += builder.BodyBytes;
        context.Counts.InFlightRuns = _inFlight.Count;
    }

    /// <summary>Commits the runs that are confirmed.</summary>
    private void Settle()
    {
        _acknowledged = writer.Confirmed;
        InFlightRun? last = null;
        while (_inFlight.TryPeek(out var run) && run.Number <= _acknowledged)
        {
            _inFlight.Dequeue();
            _inFlightBytes -= run.Builder.BodyBytes;
            context.Counts.Confirmed += run.Builder.Count;
            last = run.Builder.IsSchema ? last : run;
            run.Builder.Dispose();
        }

        context.Counts.InFlightRuns = _inFlight.Count;
        if (last is { } confirmed)
        {
            consumer.CommitThrough(confirmed.Builder.LastPosition);
            context.Counts.ConfirmedPosition = consumer.Position;
            _isFirstConfirmed = true;
            OnFirstConfirm?.Invoke();
            OnFirstConfirm = null;
        }
    }

    private async Task SettleAllAsync()
    {
        // The stop has cancelled the wait that is open; it ends before another one begins.
        if (_confirm is { } open)
        {
            await open.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        using var limit = new CancellationTokenSource(StopTimeout);
        try
        {
            Settle();
            while (_inFlight.Count != 0)
            {
                await writer.WaitForConfirmAsync(_acknowledged, limit.Token).ConfigureAwait(false);
                Settle();
            }
        }
        catch (Exception failure) when (failure is IOException or OperationCanceledException)
        {
            // The runs that were not confirmed are sent again by the next forwarder.
        }
    }

    /// <summary>A run that was sent and is not confirmed.</summary>
    /// <param name="Builder">The run.</param>
    /// <param name="Number">Its number in this connection, from 1 on.</param>
    private readonly record struct InFlightRun(RunBuilder Builder, long Number);
}
