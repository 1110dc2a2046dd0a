using System.Runtime.ExceptionServices;
using System.Threading.Channels;
using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>A connection that appends runs. It sends without waiting for replies; a task of its own awaits them in order.</summary>
internal sealed class RedisRunWriter : IRunWriter
{
    // The lowest limit that a server can have.
    private const int LeastBulkBytes = 1024 * 1024;

    private static readonly Task<RedisValue> AlreadyStored = Task.FromResult(RedisValue.Null);

    private readonly RedisConnection _connection;
    private readonly RedisKey _key;
    private readonly RedisMessageStreamOptions _options;
    private readonly EntryOrder _order;
    private readonly Action<IAsyncDisposable> _onDispose;
    private readonly Channel<SentRun> _sent = Channel.CreateUnbounded<SentRun>(new() { SingleReader = true, SingleWriter = true });
    private readonly Task _confirming;
    private TaskCompletionSource _progress = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ExceptionDispatchInfo? _failure;
    private volatile StoredRange? _stored;
    private long _confirmed;
    private bool _hasWritten;

    // The searches for runs that may be stored already. A search continues when its caller is cancelled.
    private Task _searches = Task.CompletedTask;

    public RedisRunWriter(RedisConnection connection, RedisKey key, RedisMessageStreamOptions options, StreamTop top, Action<IAsyncDisposable> onDispose)
    {
        _connection = connection;
        _key = key;
        _options = options;
        _order = new EntryOrder(top);
        _onDispose = onDispose;
        _confirming = ConfirmAllAsync();
    }

    public long Confirmed => Volatile.Read(ref _confirmed);

    public async ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ThrowIfFailed();
        var isStored = _order.IsRepeat(run) && await SearchAsync(run, cancellationToken).ConfigureAwait(false);
        var reply = isStored ? AlreadyStored : Append(run);
        if (!_sent.Writer.TryWrite(new SentRun(run, reply)))
        {
            await ((Task)reply).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            ThrowIfFailed();
        }
    }

    public async ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
    {
        while (true)
        {
            var progress = Volatile.Read(ref _progress);
            if (Confirmed > confirmed)
            {
                return;
            }

            ThrowIfFailed();
            await progress.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _connection.DisposeAsync().ConfigureAwait(false);
        Fail(_connection.Disposed());

        // The connection is closed, so the replies that are missing end now; after that nothing reads the memory of their runs.
        await _confirming.ConfigureAwait(false);
        await _searches.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _onDispose(this);
    }

    private Task<RedisValue> Append(in MessageRun run)
    {
        var id = _order.Next(run);
        try
        {
            // A retry or a redirection could change the order.
            return _connection.Database.StreamAddAsync(
                _key,
                EntryFields.Of(run),
                EntryId.Format(id),
                _options.MaxLength,
                useApproximateMaxLength: true,
                flags: CommandFlags.NoRedirect | CommandFlags.CommandRetryNever);
        }
        catch (Exception failure) when (RedisFailure.IsOfCommand(failure))
        {
            return Task.FromException<RedisValue>(failure);
        }
    }

    private async Task ConfirmAllAsync()
    {
        try
        {
            while (await _sent.Reader.WaitToReadAsync().ConfigureAwait(false))
            {
                await ConfirmNextAsync().ConfigureAwait(false);
            }
        }
        catch (RedisConnectionException failure) when (_sent.Reader.TryPeek(out var next) && next.Run.Body.Length > LeastBulkBytes && !_connection.IsDisposed)
        {
            // The server ends the connection at a body above its limit, and its answer may be lost with it.
            Fail(new IOException(
                $"{_connection.Translate(failure).Message} The next run has {next.Run.Body.Length} bytes. If each attempt ends like this, the server's proto-max-bulk-len is lower: raise it, or lower RedisMessageStreamOptions.MaxBodyBytes.",
                failure));
        }
        catch (Exception failure)
        {
            Fail(_connection.Translate(failure));
        }

        await EndRepliesAsync().ConfigureAwait(false);
    }

    /// <summary>Confirms the runs whose replies are there, at least one.</summary>
    private async Task ConfirmNextAsync()
    {
        var count = 0;
        while (_sent.Reader.TryPeek(out var next) && (count == 0 || next.Reply.IsCompleted))
        {
            await RequireStoredAsync(next).ConfigureAwait(false);
            _sent.Reader.TryRead(out _);
            count++;
        }

        if (_options.WaitForReplicas > 0)
        {
            await RequireReplicasAsync().ConfigureAwait(false);
        }

        Volatile.Write(ref _confirmed, _confirmed + count);
        Progress();
    }

    private async Task RequireStoredAsync(SentRun sent)
    {
        try
        {
            await sent.Reply.ConfigureAwait(false);
            _hasWritten |= sent.Reply != AlreadyStored;
        }
        catch (RedisServerException failure) when (RedisFailure.IsRepeat(failure))
        {
            // Another connection has written since this one was opened. It may be the one before this: the server reads commands of a closed connection to the end.
            if (!await IsStoredAsync(sent.Run).ConfigureAwait(false))
            {
                throw new IOException($"Another writer appends to Redis stream '{_key}'. One forwarder at a time writes to a stream. {failure.Message}", failure);
            }
        }
    }

    /// <summary>Waits for the replicas. WAIT covers all that this connection has written, and all that the server had before that.</summary>
    private async Task RequireReplicasAsync()
    {
        var database = _connection.Database;
        if (!_hasWritten)
        {
            // Without a write of its own the connection's WAIT returns at once. This one changes nothing, and goes to the replicas.
            var top = await StreamTop.ReadAsync(_connection, _key, CancellationToken.None).ConfigureAwait(false);
            await database.ExecuteAsync("XSETID", _key, EntryId.Format(top.LastId)).ConfigureAwait(false);
            _hasWritten = true;
        }

        var replicas = (int)await database.ExecuteAsync("WAIT", _options.WaitForReplicas, (long)_options.ReplicaTimeout.TotalMilliseconds).ConfigureAwait(false);
        if (replicas < _options.WaitForReplicas)
        {
            throw new RunRefusedException(
                $"{replicas} of {_options.WaitForReplicas} replicas of Redis stream '{_key}' have confirmed a run within {_options.ReplicaTimeout.TotalSeconds} s. Start more replicas, or lower WaitForReplicas.");
        }
    }

    /// <summary>Waits for the replies after a failed one, whatever they are, so that no memory of a run is in use.</summary>
    private async Task EndRepliesAsync()
    {
        _sent.Writer.TryComplete();
        await foreach (var sent in _sent.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            await ((Task)sent.Reply).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private Task<bool> SearchAsync(MessageRun run, CancellationToken cancellationToken)
    {
        var search = FindAsync(run);
        _searches = Task.WhenAll(_searches, search);
        return search.WaitAsync(cancellationToken);
    }

    /// <summary>Whether the stream has a run already, asked for by the caller of the writer.</summary>
    private async Task<bool> FindAsync(MessageRun run)
    {
        try
        {
            return await IsStoredAsync(run).ConfigureAwait(false);
        }
        catch (Exception failure) when (RedisFailure.IsOfCommand(failure))
        {
            Fail(_connection.Translate(failure));
            ThrowIfFailed();
            throw;
        }
    }

    private async Task<bool> IsStoredAsync(MessageRun run)
    {
        if (_stored?.Holds(run) != true)
        {
            _stored = await ChainEnd.ReadAsync(_connection.Database, _key, run).ConfigureAwait(false);
        }

        return _stored?.Holds(run) == true;
    }

    private void Fail(Exception failure)
    {
        Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(failure), null);
        _sent.Writer.TryComplete();
        Progress();
    }

    private void Progress() =>
        Interlocked.Exchange(ref _progress, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();

    private void ThrowIfFailed()
    {
        if (_connection.IsDisposed)
        {
            throw _connection.Disposed();
        }

        Volatile.Read(ref _failure)?.Throw();
    }

    /// <param name="Run">The run; its memory is valid until it is confirmed.</param>
    /// <param name="Reply">The reply to its command.</param>
    private readonly record struct SentRun(MessageRun Run, Task<RedisValue> Reply);
}
