namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream in memory, with the faults of a broker on request. Thread-safe.</summary>
internal sealed class FakeStream(string name = "orders") : IMessageStream
{
    private readonly Lock _gate = new();

    // Null in the place of one that was deleted.
    private readonly List<MessageStreamEntry?> _entries = [];
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connections;

    public string Name => name;

    public string System => "fake";

    public int MaxBodyBytes { get; set; } = 1024 * 1024;

    /// <summary>Decides the fate of a run, by its number among all runs that were sent.</summary>
    public Func<int, RunFate>? Fate { get; set; }

    /// <summary>Whether connections are refused.</summary>
    public bool IsDown { get; set; }

    /// <summary>The failure of refused connections; null for that of a broker that is down.</summary>
    public Exception? Refusal { get; set; }

    /// <summary>Whether a wait for a confirmation ends later than its cancellation, as it does in a client whose continuations are queued.</summary>
    public bool IsSlowToCancel { get; set; }

    /// <summary>The number of runs that were sent.</summary>
    public int Sent { get; private set; }

    /// <summary>The number of connections that were opened.</summary>
    public int Connections => Volatile.Read(ref _connections);

    public IReadOnlyList<MessageStreamEntry> Entries
    {
        get
        {
            lock (_gate)
            {
                return [.. _entries.Select(static entry => entry.GetValueOrDefault())];
            }
        }
    }

    /// <summary>The runs of messages that the stream holds.</summary>
    public IReadOnlyList<MessageRun> Runs => [.. Entries.Where(static entry => MessageRun.TryParse(entry, out var run) && run.Kind != RunKind.Schema).Select(static entry => Parse(entry))];

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        Connect();
        return ValueTask.FromResult<IRunWriter>(new Writer(this));
    }

    public ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        Connect();
        var first = start.Offset ?? (start.IsLatest ? new StreamOffset((ulong)Entries.Count) : default);
        return ValueTask.FromResult<IRunReader>(new Reader(this, first));
    }

    /// <summary>Appends an entry as it is.</summary>
    public void Append(ReadOnlyMemory<byte> header, ReadOnlyMemory<byte> body) => Append(new MessageStreamEntry(default, header, body));

    /// <summary>Appends entries of another stream, at offsets of this one.</summary>
    public void AppendAll(params IEnumerable<MessageStreamEntry> entries)
    {
        foreach (var entry in entries)
        {
            Append(entry.Header, entry.Body);
        }
    }

    /// <summary>Deletes the first entries, as retention does.</summary>
    public void Truncate(int entries)
    {
        lock (_gate)
        {
            for (var i = 0; i < entries; i++)
            {
                _entries[i] = null;
            }
        }
    }

    /// <summary>Appends entries while retention deletes the first ones, before any reader sees the new ones.</summary>
    public void AppendAndTruncate(IEnumerable<MessageStreamEntry> entries, int deleted)
    {
        lock (_gate)
        {
            _entries.AddRange(entries.Select((entry, i) => (MessageStreamEntry?)new MessageStreamEntry(new StreamOffset((ulong)(_entries.Count + i)), entry.Header, entry.Body)).ToList());
            for (var i = 0; i < deleted; i++)
            {
                _entries[i] = null;
            }
        }

        Signal();
    }

    /// <summary>Ends all connections.</summary>
    public void Break()
    {
        IsDown = true;
        Signal();
    }

    /// <summary>Accepts connections again.</summary>
    public void Repair() => IsDown = false;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static MessageRun Parse(MessageStreamEntry entry) => MessageRun.TryParse(entry, out var run) ? run : throw new InvalidOperationException("The entry is not a run.");

    private void Connect()
    {
        if (IsDown)
        {
            throw Refusal ?? new IOException("The broker is down.");
        }

        Interlocked.Increment(ref _connections);
    }

    private void Append(MessageStreamEntry entry)
    {
        lock (_gate)
        {
            _entries.Add(new MessageStreamEntry(new StreamOffset((ulong)_entries.Count), entry.Header.ToArray(), entry.Body.ToArray()));
        }

        Signal();
    }

    private void Signal()
    {
        lock (_gate)
        {
            var changed = _changed;
            _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            changed.SetResult();
        }
    }

    private sealed class Writer(FakeStream stream) : IRunWriter
    {
        private static readonly TimeSpan SlowCancellation = TimeSpan.FromMilliseconds(100);

        private readonly int _number = stream.Connections;
        private int _waits;
        private Exception? _failure;
        private long _confirmed;
        private bool _isConfirmLost;

        public long Confirmed => Volatile.Read(ref _confirmed);

        public ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
        {
            ThrowIfBroken();
            var number = stream.Sent++;
            var fate = stream.Fate?.Invoke(number) ?? RunFate.Stored;
            if (fate is RunFate.Stored or RunFate.StoredTwice or RunFate.StoredWithoutConfirm)
            {
                stream.Append(run.Header, run.Body);
            }

            if (fate == RunFate.StoredTwice)
            {
                stream.Append(run.Header, run.Body);
            }

            _failure = fate == RunFate.Refused ? new RunRefusedException("The broker refused the run.") : _failure;

            // A broker that loses a run, or its confirmation, confirms no later one on the same connection.
            _isConfirmLost |= fate is RunFate.Lost or RunFate.StoredWithoutConfirm;
            if (!_isConfirmLost && _failure is null)
            {
                Interlocked.Increment(ref _confirmed);
            }

            stream.Signal();
            return ValueTask.CompletedTask;
        }

        public async ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
        {
            if (Interlocked.Increment(ref _waits) != 1)
            {
                throw new InvalidOperationException("A second wait was opened. One may be open.");
            }

            try
            {
                await WaitAsync(confirmed, cancellationToken);
            }
            catch (OperationCanceledException) when (stream.IsSlowToCancel)
            {
                await Task.Delay(SlowCancellation, CancellationToken.None);
                throw;
            }
            finally
            {
                Interlocked.Decrement(ref _waits);
            }
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;

        private async Task WaitAsync(long confirmed, CancellationToken cancellationToken)
        {
            while (true)
            {
                Task changed;
                lock (stream._gate)
                {
                    changed = stream._changed.Task;
                }

                if (Confirmed > confirmed)
                {
                    return;
                }

                ThrowIfBroken();
                await changed.WaitAsync(cancellationToken);
            }
        }

        private void ThrowIfBroken()
        {
            if (_failure is not null)
            {
                throw _failure;
            }

            if (stream.IsDown || stream.BrokenBefore > _number)
            {
                throw new IOException("The connection is lost.");
            }
        }
    }

    /// <summary>Connections with lower numbers are lost.</summary>
    public int BrokenBefore { get; private set; }

    /// <summary>Ends the connections that are open, and accepts new ones.</summary>
    public void Reconnect()
    {
        BrokenBefore = Connections + 1;
        Signal();
    }

    private sealed class Reader(FakeStream stream, StreamOffset next) : IRunReader
    {
        private readonly int _number = stream.Connections;
        private StreamOffset _next = next;

        public async ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
        {
            while (true)
            {
                Task changed;
                lock (stream._gate)
                {
                    changed = stream._changed.Task;
                    if (stream.IsDown || stream.BrokenBefore > _number)
                    {
                        throw new IOException("The connection is lost.");
                    }

                    while (_next.Major < (ulong)stream._entries.Count)
                    {
                        var entry = stream._entries[(int)_next.Major];
                        _next = new StreamOffset(_next.Major + 1);
                        if (entry is { } whole)
                        {
                            return whole;
                        }
                    }
                }

                await changed.WaitAsync(cancellationToken);
            }
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}

/// <summary>The fates of a run at a broker.</summary>
internal enum RunFate
{
    Stored,
    StoredTwice,
    StoredWithoutConfirm,
    Lost,
    Refused,
}
