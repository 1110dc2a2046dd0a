using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>
/// The loop of a forwarder. Each connection is a session: it begins at the confirmed position, sends runs in order, and ends with the first failure.
/// </summary>
internal sealed class ForwarderLoop : IBridgeLoop
{
    private readonly ForwarderContext _context;

    // Open as long as the bridge, also between two sessions: another forwarder of its name is refused. Null only if it could not be opened again.
    private MessageConsumer<RawMessage>? _consumer;

    // A session may have read on from the confirmed position.
    private bool _isAhead;

    public ForwarderLoop(MessageQueue queue, IMessageStream stream, ForwarderOptions options)
    {
        options.RequireValid();
        Link = new BridgeLink(queue, stream, options);
        var isDurableOnly = queue.Mode == QueueMode.Durable && (options.DurableOnly ?? queue.IsFlushed);
        _context = new ForwarderContext(queue, stream, options, new ForwarderCounts(), new DeadLetters(Link, queue.SegmentBytes), isDurableOnly);
        _consumer = OpenConsumer();
    }

    public BridgeLink Link { get; }

    public string Operation => BridgeTraces.Send;

    public ForwarderStatistics GetStatistics() => new()
    {
        State = Link.State,
        Failure = Link.Failure,
        Reconnects = Link.Reconnects,
        Sent = _context.Counts.Sent,
        Confirmed = _context.Counts.Confirmed,
        InFlightRuns = _context.Counts.InFlightRuns,
        LagBytes = ReadLag(),
        Refused = _context.Counts.Refused,
        DeadLetters = _context.DeadLetters.Count,
        Deletions = _context.Counts.Deletions,
    };

    public double? Read(BridgeNumber number) => number.OfForwarder?.Invoke(GetStatistics());

    public async Task RunAsync(CancellationToken stop)
    {
        try
        {
            MessagesDeletedException? skipped = null;
            while (true)
            {
                try
                {
                    if (skipped is not null)
                    {
                        Skip(skipped);
                        skipped = null;
                    }

                    await RunSessionAsync(stop).ConfigureAwait(false);
                }
                catch (MessagesDeletedException deleted) when (_context.Options.OnDeleted == DeletedMessages.Skip)
                {
                    skipped = deleted;
                }
                catch (Exception failure) when (!Link.IsFinal(failure))
                {
                    stop.ThrowIfCancellationRequested();

                    // A broker may refuse a command of a connection that is being opened, such as one that is loading its data. No run was sent then.
                    _context.Counts.Refused += failure is RunRefusedException && Link.State == BridgeState.Connected ? 1 : 0;
                    await Link.WaitToRetryAsync(failure, stop).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            _consumer?.Dispose();
            _context.DeadLetters.Dispose();
        }
    }

    private async Task RunSessionAsync(CancellationToken stop)
    {
        var consumer = TakeConsumer();
        var writer = await _context.Stream.OpenWriterAsync(stop).ConfigureAwait(false);
        await using var closing = writer.ConfigureAwait(false);
        Link.SetConnected();
        _isAhead = true;
        using var session = new ForwarderSession(_context, consumer, writer) { OnFirstConfirm = Link.ResetDelay };
        await session.RunAsync(stop).ConfigureAwait(false);
    }

    // The consumer at the confirmed position. One that has read on is opened again, which takes a moment.
    private MessageConsumer<RawMessage> TakeConsumer()
    {
        if (_isAhead)
        {
            _consumer?.Dispose();
            _consumer = null;
            _isAhead = false;
        }
        else if (_context.Queue.FindLoss() is { } loss)
        {
            // The consumer itself would not notice it before the next connection.
            throw loss;
        }

        return _consumer ??= OpenConsumer();
    }

    private MessageConsumer<RawMessage> OpenConsumer()
    {
        var consumer = _context.Queue.OpenConsumer<RawMessage>(Link.NameInQueue, new ConsumerOptions { Start = _context.Options.Start });
        _context.Counts.ConfirmedPosition = consumer.Position;
        return consumer;
    }

    private long ReadLag()
    {
        try
        {
            return Math.Max(0, _context.Queue.PublishedPosition - _context.Counts.ConfirmedPosition);
        }
        catch (Exception)
        {
            // A queue that is closed, or whose files are gone, damaged or cannot be opened now, has no known lag; the counts are still read.
            return 0;
        }
    }

    private void Skip(MessagesDeletedException deleted)
    {
        var consumer = TakeConsumer();
        var before = consumer.Seek(QueueStart.Earliest);
        Debug.Assert(before <= consumer.Position, "Deleted messages are before those that are left.");
        _context.Counts.ConfirmedPosition = consumer.Position;
        _context.Counts.Deletions++;
        Link.Logger.Skipped(Link.Name, Link.Directory, $"positions {deleted.Position} to {deleted.FirstPosition}");
    }
}
