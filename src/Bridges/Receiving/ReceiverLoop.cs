using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>The loop of a receiver. Each connection is a session: it begins at the last entry that was read, and ends with the first failure.</summary>
internal sealed class ReceiverLoop : IBridgeLoop, IDisposable
{
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    private readonly MessageQueue _queue;
    private readonly IMessageStream _stream;
    private readonly ReceiverOptions _options;
    private readonly ReceiverJournal _journal;
    private readonly SourceChains _chains = new();
    private readonly ReceiverCounts _counts = new();
    private readonly DeadLetters _deadLetters;
    private readonly RunPublisher _publisher;
    private readonly StreamHoles _holes;
    private readonly SchemaSearch _schemas;
    private ReadEntry? _last;

    // The furthest entry that was read. While a hole stays, the entries after it are read several times.
    private StreamOffset? _furthest;

    // A session without a last entry begins here.
    private StreamStart _start;

    // The last message of the receivers before this one: the first journal counts it, and so it has to be on the disk.
    private long _journalPosition;
    private long? _journalTime;
    private bool _isJournalBehind;

    public ReceiverLoop(MessageQueue queue, IMessageStream stream, ReceiverOptions options)
    {
        options.RequireValid();
        queue.RequireWritable();
        _queue = queue;
        _stream = stream;
        _options = options;
        _start = options.Start;
        _holes = new StreamHoles(options.StreamTimeout);
        _schemas = new SchemaSearch(stream, options.StreamTimeout);
        Link = new BridgeLink(queue, stream, options);
        _deadLetters = new DeadLetters(Link, stream.MaxBodyBytes);
        _publisher = new RunPublisher(queue, stream, options.Verify, _chains, _counts, _deadLetters);
        _journal = ReceiverJournal.Open(queue, stream, Link.Name);
        try
        {
            Resume();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public BridgeLink Link { get; }

    public string Operation => BridgeTraces.Process;

    private ReadEntry? ResumeEntry => _holes.IsEmpty ? _last : _holes.Before;

    public ReceiverStatistics GetStatistics() => new()
    {
        State = Link.State,
        Failure = Link.Failure,
        Reconnects = Link.Reconnects,
        Received = _counts.Received,
        Duplicates = _counts.Duplicates,
        Holes = _counts.Holes,
        Deletions = _counts.Deletions,
        Foreign = _counts.Foreign,
        DeadLetters = _deadLetters.Count,
        Offset = _counts.Offset,
        JournalAge = _journal.Age,
    };

    public double? Read(BridgeNumber number) => number.OfReceiver?.Invoke(GetStatistics());

    public async Task RunAsync(CancellationToken stop)
    {
        try
        {
            while (true)
            {
                try
                {
                    await RunSessionAsync(stop).ConfigureAwait(false);
                }
                catch (Exception failure) when (!Link.IsFinal(failure))
                {
                    stop.ThrowIfCancellationRequested();
                    await Link.WaitToRetryAsync(failure, stop).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            WriteLastJournal();
            throw;
        }
        finally
        {
            Dispose();
        }
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _deadLetters.Dispose();
        _journal.Dispose();
    }

    /// <summary>Finds out how far the receivers before this one came.</summary>
    private void Resume()
    {
        if (_journal.Read() is { } entry)
        {
            entry.Restore(_chains);
            _journalPosition = Receipts.Count(_queue, entry.Position, _chains);
            if (entry.IsOf(_stream))
            {
                _last = entry.Entry;
                (_chains.IsMidway, _chains.Begun) = (entry.IsMidway, entry.Begun);
                return;
            }

            Link.Logger.OtherStream(Link.Name, Link.Directory, entry.Stream, entry.System, Link.Stream, Link.System);
        }
        else
        {
            _journalPosition = Receipts.Count(_queue, 0, _chains);
        }

        if (!_options.Start.IsEarliest)
        {
            // The entries before the start are not read.
            _chains.AcceptHoles();
        }
    }

    private async Task RunSessionAsync(CancellationToken stop)
    {
        _last = ResumeEntry;
        _holes.Clear();
        var reader = await _stream.OpenReaderAsync(_last is { } last ? StreamStart.At(last.Offset) : _start, stop).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        Link.SetConnected();
        var entry = await ReadFirstAsync(reader, stop).ConfigureAwait(false);
        RequireSameStream(entry);
        RequireNothingDeleted(entry);
        if (_start.IsLatest)
        {
            // The start is fixed from the first entry on, even if the receiver fails, is closed or is killed before it is published. A run that is counted as read comes again.
            _start = StreamStart.At(entry.Offset);
            _journal.IsRequired = _last is null;
            if (_last is null && MessageRun.TryParse(entry, out _))
            {
                (_last, _isJournalBehind) = (ReadEntry.Of(entry), true);
            }
        }

        // Also if the session before could not write it: the entry may wait for room, and the receiver may be killed.
        WriteJournalIfDue();
        while (true)
        {
            // The last entry of the session before says nothing about those after it.
            var isNew = !(entry.Offset <= _last?.Offset);
            await TakeAsync(entry, stop).ConfigureAwait(false);
            if (isNew)
            {
                Link.ResetDelay();
            }

            // A reader that has an entry need not look at the token.
            stop.ThrowIfCancellationRequested();
            entry = await ReadNextAsync(reader, stop).ConfigureAwait(false);
        }
    }

    // The last entry that was read is in the stream, so it comes soon. If it does not, the stream may have been deleted and made anew.
    private async ValueTask<MessageStreamEntry> ReadFirstAsync(IRunReader reader, CancellationToken stop)
    {
        if (_last is not { } last)
        {
            return await reader.ReadAsync(stop).ConfigureAwait(false);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stop);
        limit.CancelAfter(_options.StreamTimeout);
        try
        {
            return await reader.ReadAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception) when (!stop.IsCancellationRequested)
        {
            if (_options.OnDeleted == DeletedMessages.Skip)
            {
                BeginAnew();
            }

            throw new IOException(
                $"Stream '{_stream.Name}' does not return its entry at offset {last.Offset}, which this receiver has read. If the stream was deleted and created again, delete the receiver's journal, " +
                "or set OnDeleted to Skip; otherwise the broker is slow.",
                exception);
        }
    }

    // A stream that was made anew may have as many entries as the old one had. Those before the offset are not read yet: the chains know which messages came.
    private void RequireSameStream(in MessageStreamEntry first)
    {
        if (_last is { } last && last.IsReplacedBy(first))
        {
            BeginAnew();
            throw new IOException(
                $"Stream '{_stream.Name}' has a different entry at offset {last.Offset} than the one that this receiver has read there: it was deleted and created again, or its broker has lost its end. " +
                "The receiver reads it from its beginning, and drops the messages that it has.");
        }
    }

    private void BeginAnew()
    {
        (_last, _furthest) = (null, null);
        _schemas.Reset();
        _start = StreamStart.Earliest;
        if (_options.OnDeleted == DeletedMessages.Skip)
        {
            _chains.AcceptHoles();
        }
    }

    // The last entry that was read comes once more, which shows that the entries after it are still there.
    private void RequireNothingDeleted(in MessageStreamEntry first)
    {
        if (_last is { Offset: var last } && first.Offset > last)
        {
            if (_options.OnDeleted == DeletedMessages.Stop)
            {
                throw new StreamTruncatedException(_stream.Name, last, first.Offset);
            }

            _chains.AcceptHoles();
            if (_counts.TryCountDeletion(last))
            {
                Link.Logger.Skipped(Link.Name, Link.Directory, $"entries {last} to {first.Offset} of the stream");
            }
        }
        else if (_last is null && _start.IsEarliest)
        {
            _chains.BeginWith(first);
        }
    }

    private async ValueTask TakeAsync(MessageStreamEntry entry, CancellationToken stop)
    {
        // The last entry comes once more after a new connection.
        var isAgain = entry.Offset <= _last?.Offset || entry.Offset <= _furthest;
        if (entry.Header.IsEmpty)
        {
            _counts.Foreign += isAgain ? 0 : 1;
        }
        else if (!MessageRun.TryParse(entry, out var run))
        {
            if (!isAgain)
            {
                _deadLetters.Add(entry.Body.Span, default, "The header of the entry is damaged.", entry.Offset, stop);
            }
        }
        else if (run.Kind == RunKind.Schema)
        {
            _publisher.Learn(run);
        }
        else
        {
            await TakeAsync(run, entry.Offset, stop).ConfigureAwait(false);
        }

        (_last, _furthest) = (ReadEntry.Of(entry), isAgain ? _furthest : entry.Offset);
        _counts.Offset = entry.Offset;
        _isJournalBehind = true;
        WriteJournalIfDue();
    }

    private async ValueTask TakeAsync(MessageRun run, StreamOffset offset, CancellationToken stop)
    {
        switch (_chains.Judge(run))
        {
            case RunJudgment.Duplicate:
                _counts.Duplicates += run.Count;
                return;
            case RunJudgment.Hole:
                _counts.Holes++;
                Link.Logger.Hole(Link.Name, run.Count, offset);
                _holes.Add(run.QueueId, run.End, _last);
                return;
            case RunJudgment.ContinuesAfterDeletion when _chains.Places.TryGetValue(run.QueueId, out var place):
                if (_counts.TryCountDeletion(run.QueueId, place))
                {
                    Link.Logger.Skipped(Link.Name, Link.Directory, $"positions up to {run.From} of queue {run.QueueId}");
                }

                break;
        }

        if (!_publisher.TryOpen(run))
        {
            _publisher.Open(await _schemas.FindAsync(offset, run.Fingerprint, stop).ConfigureAwait(false));
        }

        var span = BridgeTraces.StartReceive(_stream, run);
        try
        {
            await _publisher.PublishAsync(run, offset, stop).ConfigureAwait(false);
        }
        finally
        {
            QuietTelemetry.Stop(span);
        }

        _holes.Fill(run.QueueId, _chains.PlaceOf(run.QueueId));
    }

    // While no entry comes, the journal catches up, and a hole may stay too long.
    private async ValueTask<MessageStreamEntry> ReadNextAsync(IRunReader reader, CancellationToken stop)
    {
        RequireNoOldHole();
        var next = reader.ReadAsync(stop);
        if (next.IsCompleted || (!_isJournalBehind && _holes.IsEmpty))
        {
            return await next.ConfigureAwait(false);
        }

        var task = next.AsTask();
        task.ObserveFailure();
        while (!task.IsCompleted && (_isJournalBehind || !_holes.IsEmpty))
        {
            await ((Task)task).WaitAsync(TimeUntilDue(), stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            stop.ThrowIfCancellationRequested();
            RequireNoOldHole();
            WriteJournalIfDue();
        }

        return await task.ConfigureAwait(false);
    }

    private TimeSpan TimeUntilDue()
    {
        var due = _isJournalBehind ? _options.JournalInterval - Stopwatch.GetElapsedTime(_journalTime ?? 0) : _options.StreamTimeout;
        var rest = _holes.IsEmpty ? due : _holes.First.Rest;
        return TimeSpan.FromTicks(Math.Max(Math.Min(due.Ticks, rest.Ticks), ShortestWait.Ticks));
    }

    // The forwarder fills a hole as soon as it has noticed it. If it does not, the stream may have lost the entries, which the next session finds out.
    private void RequireNoOldHole()
    {
        if (!_holes.IsEmpty && _holes.First is var hole && hole.Rest < TimeSpan.Zero)
        {
            _holes.Extend(hole.Queue);
            throw new IOException(
                $"Stream '{_stream.Name}' lacks messages of queue {hole.Queue} since {hole.Age.TotalSeconds:F0} s. The receiver reads again from before the hole. If their forwarder runs and the hole stays, " +
                "the broker has lost messages that it had confirmed.");
        }
    }

    // The first entry is counted at once: without a journal the next receiver would begin at its start again.
    private void WriteJournalIfDue()
    {
        if (_isJournalBehind && (_journalTime is not { } time || Stopwatch.GetElapsedTime(time) >= _options.JournalInterval))
        {
            WriteJournal();
        }
    }

    private void WriteJournal()
    {
        if (_isJournalBehind && ResumeEntry is { } last)
        {
            _isJournalBehind = !_journal.TryWrite(_chains, last, Math.Max(_publisher.LastPosition, _journalPosition));
        }

        _journalTime = Stopwatch.GetTimestamp();
    }

    // A journal that cannot be written now, as on a full disk, does not hold up the end: the messages in the queue name their sources.
    private void WriteLastJournal()
    {
        try
        {
            _journal.IsRequired = true;
            WriteJournal();
        }
        catch (Exception failure) when (!Link.IsFinal(failure))
        {
            Link.Logger.JournalNotWritten(failure, Link.Name, Link.Directory);
        }
    }
}
