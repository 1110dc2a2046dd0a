using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BufferedMessages.Bridges;

/// <summary>A channel with publisher confirms. Its first failure is its last state: every later call throws it.</summary>
internal sealed class RabbitMqWriter : IRunWriter, IValueTaskSource
{
    // Bytes of a header frame around the header of the run: the frame, the class, the flags, the table, the name and the delivery mode.
    private const int HeaderFrameBytes = 64;

    private readonly Lock _gate = new();
    private readonly BrokerSession _session;
    private readonly CachedString _queue;
    private readonly RunProperties _properties = new();
    private readonly PrefixCounter _confirms = new();
    private readonly int _maxBodyBytes;
    private Exception? _failure;

    // The one wait for a confirm. Its continuation runs on the pool: the thread of the connection completes it.
    private ManualResetValueTaskSourceCore<bool> _wait = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _cancellation;
    private long _waitsFor;
    private bool _isWaiting;

    public RabbitMqWriter(BrokerSession session, int maxBodyBytes)
    {
        _session = session;
        _maxBodyBytes = maxBodyBytes;
        _queue = new CachedString(session.Stream);
        session.Channel.BasicAcksAsync += OnAck;
        session.Channel.BasicNacksAsync += OnNack;
        session.Channel.BasicReturnAsync += OnReturn;
        session.Channel.ChannelShutdownAsync += OnShutdown;
        session.WhenBlocked(OnBlocked);
    }

    public long Confirmed => _confirms.Count;

    public ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
    {
        ThrowIfFailed();
        if (run.Body.Length > _maxBodyBytes)
        {
            throw new RunRefusedException($"The body of a run has {run.Body.Length} bytes; stream '{_session.Stream}' takes at most {_maxBodyBytes}. Raise RabbitMqMessageStreamOptions.MaxBodyBytes.");
        }

        if (run.Header.Length + HeaderFrameBytes > _session.MaxFrameBytes)
        {
            throw new RunRefusedException(
                $"The header of a run has {run.Header.Length} bytes, most of them properties of its message. A frame of the connection has {_session.MaxFrameBytes}: raise the broker's frame_max.");
        }

        try
        {
            // The client copies the header and the body into its own buffer, before it waits for anything but a channel that the broker has paused.
            var sent = _session.Channel.BasicPublishAsync(CachedString.Empty, _queue, mandatory: true, _properties.With(run.Header.Span), run.Body, cancellationToken);
            if (!sent.IsCompletedSuccessfully)
            {
                return AwaitAsync(sent, cancellationToken);
            }

            sent.GetAwaiter().GetResult();
            return ValueTask.CompletedTask;
        }
        catch (Exception exception) when (BrokerFailure.IsOfClient(exception) && !BrokerFailure.IsCancellation(exception, cancellationToken))
        {
            throw FailureOf(exception);
        }
    }

    public ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
    {
        // A token that is cancelled from here on does not end the next wait.
        _cancellation.Dispose();
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (_confirms.Count > confirmed)
            {
                return ValueTask.CompletedTask;
            }

            ThrowIfFailed();
            _wait.Reset();
            _waitsFor = confirmed;
            _isWaiting = true;
        }

        _cancellation = cancellationToken.UnsafeRegister(static (state, token) => ((RabbitMqWriter)state!).Cancel(token), this);
        return new ValueTask(this, _wait.Version);
    }

    public async ValueTask DisposeAsync()
    {
        Fail(new ObjectDisposedException(nameof(IRunWriter)));
        await _cancellation.DisposeAsync().ConfigureAwait(false);
        await _session.DisposeAsync().ConfigureAwait(false);
    }

    void IValueTaskSource.GetResult(short token) => _wait.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);

    private async ValueTask AwaitAsync(ValueTask sent, CancellationToken cancellationToken)
    {
        try
        {
            await sent.ConfigureAwait(false);
        }
        catch (Exception exception) when (BrokerFailure.IsOfClient(exception) && !BrokerFailure.IsCancellation(exception, cancellationToken))
        {
            throw FailureOf(exception);
        }
    }

    private Task OnAck(object sender, BasicAckEventArgs ack)
    {
        lock (_gate)
        {
            // A run that was returned is acknowledged too. After a failure the number does not change.
            if (_failure is null)
            {
                _confirms.Add((long)ack.DeliveryTag, ack.Multiple);
                if (_isWaiting && _confirms.Count > _waitsFor)
                {
                    _isWaiting = false;
                    _wait.SetResult(true);
                }
            }
        }

        return Task.CompletedTask;
    }

    private Task OnNack(object sender, BasicNackEventArgs nack)
    {
        Fail(new RunRefusedException($"RabbitMQ could not store run {nack.DeliveryTag} of this connection in stream '{_session.Stream}' (basic.nack)."));
        return Task.CompletedTask;
    }

    private Task OnReturn(object sender, BasicReturnEventArgs returned)
    {
        Fail(new RunRefusedException($"RabbitMQ no longer has stream '{_session.Stream}': {returned.ReplyCode} {returned.ReplyText}. The next writer creates it again."));
        return Task.CompletedTask;
    }

    // The broker would hold the run silently until its alarm is over.
    private Task OnBlocked(object sender, ConnectionBlockedEventArgs blocked)
    {
        Fail(new RunRefusedException(
            $"RabbitMQ does not accept runs for stream '{_session.Stream}' now: {blocked.Reason}. Free memory or disk space of the broker, or change its limits vm_memory_high_watermark and disk_free_limit."));
        return Task.CompletedTask;
    }

    private Task OnShutdown(object sender, ShutdownEventArgs reason)
    {
        Fail(BrokerFailure.OfShutdown(_session.Stream, reason));
        return Task.CompletedTask;
    }

    /// <summary>Takes the failure of a call, unless the connection has reported a better one.</summary>
    private Exception FailureOf(Exception exception)
    {
        Fail(BrokerFailure.OfSession(_session.Stream, exception));
        return _failure!;
    }

    private void Fail(Exception failure)
    {
        lock (_gate)
        {
            _failure ??= failure;
            if (_isWaiting)
            {
                _isWaiting = false;
                _wait.SetException(_failure);
            }
        }
    }

    private void Cancel(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_isWaiting)
            {
                _isWaiting = false;
                _wait.SetException(new OperationCanceledException(cancellationToken));
            }
        }
    }

    private void ThrowIfFailed()
    {
        if (Volatile.Read(ref _failure) is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }
}
