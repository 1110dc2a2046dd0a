using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BufferedMessages.Bridges;

/// <summary>
/// A consumer whose handler does not return while its entry is read: until then the client keeps the memory of the delivery, so no byte is copied.
/// <code>
/// client's thread   deliver 1 -> completes the read ............ given back: return, deliver 2 -> completes the read
/// reader's thread   ReadAsync ......... -> entry 1 -> ReadAsync gives 1 back ....................... -> entry 2
/// </code>
/// A read that waits continues on the client's thread. If it reads again there without another wait, nothing is allocated and no thread is woken.
/// </summary>
internal sealed class RabbitMqReader : IRunReader, IAsyncBasicConsumer, IValueTaskSource<MessageStreamEntry>
{
    /// <summary>How long an entry that was returned may wait for its acknowledgement. The broker ends a channel that has owed one for its consumer_timeout, 30 minutes by default.</summary>
    public static readonly TimeSpan AcknowledgeWithin = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly Timer _acknowledging;
    private readonly BrokerSession _session;
    private readonly ulong _firstOffset;
    private readonly int _ackEvery;
    private Exception? _failure;

    // The entry between its delivery and its return. The handler waits for the return on a task, if it has to wait.
    private MessageStreamEntry _entry;
    private ulong _tag;
    private Held _held;
    private TaskCompletionSource? _returned;

    // Entries that came back since the last acknowledgement, and the tag of the last of them.
    private int _unacknowledged;
    private ulong _returnedTag;

    private ManualResetValueTaskSourceCore<MessageStreamEntry> _read;
    private CancellationTokenRegistration _cancellation;
    private bool _isReading;

    public RabbitMqReader(BrokerSession session, StreamStart start, int prefetch, TimeSpan acknowledgeWithin)
    {
        _session = session;
        _firstOffset = start.Offset?.Major ?? 0;

        // An acknowledgement only gives the broker credit to send more: a stream keeps its entries.
        _ackEvery = Math.Max(1, prefetch / 4);
        session.Channel.ChannelShutdownAsync += OnShutdown;
        _acknowledging = new Timer(static reader => ((RabbitMqReader)reader!).AcknowledgeRest(), this, acknowledgeWithin, acknowledgeWithin);
    }

    private enum Held
    {
        None,

        /// <summary>Delivered while nothing waited for it.</summary>
        Ready,

        /// <summary>Given to the caller of ReadAsync.</summary>
        Read,
    }

    public IChannel? Channel => _session.Channel;

    public ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
    {
        // A token that is cancelled from here on does not end the next read.
        _cancellation.Dispose();
        cancellationToken.ThrowIfCancellationRequested();
        GiveBack();
        lock (_gate)
        {
            ThrowIfFailed();
            if (_held == Held.Ready)
            {
                _held = Held.Read;
                return new ValueTask<MessageStreamEntry>(_entry);
            }

            _read.Reset();
            _isReading = true;
        }

        _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((RabbitMqReader)state!).EndRead(new OperationCanceledException(token)), this);
        return new ValueTask<MessageStreamEntry>(this, _read.Version);
    }

    public async ValueTask DisposeAsync()
    {
        Fail(new ObjectDisposedException(nameof(IRunReader)));
        GiveBack();
        await _acknowledging.DisposeAsync().ConfigureAwait(false);
        await _cancellation.DisposeAsync().ConfigureAwait(false);
        await _session.DisposeAsync().ConfigureAwait(false);
    }

    public Task HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken = default)
    {
        if (!TryGetOffset(properties, out var offset))
        {
            Fail(new IOException($"Queue '{_session.Stream}' of RabbitMQ is not a stream: a delivery has no offset. Name a queue of type \"stream\"."));
            return Task.CompletedTask;
        }

        // The broker begins with the chunk that has the first entry.
        if (offset < _firstOffset)
        {
            Acknowledge(deliveryTag);
            return Task.CompletedTask;
        }

        var entry = new MessageStreamEntry(new StreamOffset(offset), HeaderOf(properties), body);
        bool isReading;
        lock (_gate)
        {
            if (_failure is not null)
            {
                return Task.CompletedTask;
            }

            (_entry, _tag) = (entry, deliveryTag);
            isReading = _isReading;
            _isReading = false;
            _held = isReading ? Held.Read : Held.Ready;
        }

        if (isReading)
        {
            _read.SetResult(entry);
        }

        return WhenReturned(deliveryTag);
    }

    public Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        Fail(new IOException($"RabbitMQ ended the reading of stream '{_session.Stream}': the stream is deleted, or its node is down."));
        return Task.CompletedTask;
    }

    public Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

    public Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

    public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => OnShutdown(channel, reason);

    MessageStreamEntry IValueTaskSource<MessageStreamEntry>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<MessageStreamEntry>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<MessageStreamEntry>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _read.OnCompleted(continuation, state, token, flags);

    private static bool TryGetOffset(IReadOnlyBasicProperties properties, out ulong offset)
    {
        if (properties.Headers is { } headers && headers.TryGetValue(StreamArguments.Offset, out var value) && value is long and >= 0 and var number)
        {
            offset = (ulong)number;
            return true;
        }

        offset = 0;
        return false;
    }

    // Brokers give the bytes back as one type or the other, depending on their version.
    private static ReadOnlyMemory<byte> HeaderOf(IReadOnlyBasicProperties properties) =>
        !properties.Headers!.TryGetValue(StreamArguments.RunHeader, out var value) ? default
        : value is BinaryTableValue binary ? binary.Bytes
        : value as byte[];

    private Task WhenReturned(ulong tag)
    {
        lock (_gate)
        {
            if (_held == Held.None || _tag != tag)
            {
                return Task.CompletedTask;
            }

            _returned = new TaskCompletionSource();
            return _returned.Task;
        }
    }

    /// <summary>Ends the entry that was read, and lets the handler continue; it may deliver the next entry before this returns.</summary>
    private void GiveBack()
    {
        TaskCompletionSource? returned;
        ulong tag;
        lock (_gate)
        {
            if (_held != Held.Read)
            {
                return;
            }

            _held = Held.None;
            _entry = default;
            tag = _tag;
            returned = _returned;
            _returned = null;
        }

        Acknowledge(tag);
        returned?.SetResult();
    }

    /// <summary>Takes note that an entry came back, and acknowledges from time to time.</summary>
    private void Acknowledge(ulong tag)
    {
        lock (_gate)
        {
            _returnedTag = tag;
            if (++_unacknowledged < _ackEvery)
            {
                return;
            }
        }

        AcknowledgeRest();
    }

    private void AcknowledgeRest()
    {
        lock (_gate)
        {
            if (_unacknowledged > 0 && _failure is null)
            {
                // In the order of the tags: the client queues the frame before this returns, and the broker refuses a tag below one that it had.
                _unacknowledged = 0;
                _ = SendAsync();
            }
        }

        async Task SendAsync()
        {
            try
            {
                await _session.Channel.BasicAckAsync(_returnedTag, multiple: true, CancellationToken.None).ConfigureAwait(false);
            }
            catch (Exception exception) when (BrokerFailure.IsOfClient(exception))
            {
                Fail(BrokerFailure.OfSession(_session.Stream, exception));
            }
        }
    }

    private Task OnShutdown(object sender, ShutdownEventArgs reason)
    {
        Fail(BrokerFailure.OfShutdown(_session.Stream, reason));
        return Task.CompletedTask;
    }

    private void Fail(Exception failure)
    {
        TaskCompletionSource? returned = null;
        lock (_gate)
        {
            _failure ??= failure;
            if (_held == Held.Ready)
            {
                _held = Held.None;
                returned = _returned;
                _returned = null;
            }
        }

        EndRead(failure);
        returned?.SetResult();
    }

    /// <summary>Ends a read that waits. It continues on the pool, because this is the thread of the connection or of a canceller.</summary>
    private void EndRead(Exception exception)
    {
        lock (_gate)
        {
            if (!_isReading)
            {
                return;
            }

            _isReading = false;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static work => work.Reader._read.SetException(work.Exception), (Reader: this, Exception: exception), preferLocal: false);
    }

    private void ThrowIfFailed()
    {
        if (_failure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }
}
