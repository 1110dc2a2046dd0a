using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>
/// The gate of a handler's workers: it holds them while the handler is paused, while its circuit is open, and when it stops. Thread-safe.
/// A worker that was admitted takes messages until its token is cancelled.
/// </summary>
internal sealed class HandlerFlow : IDisposable
{
    private readonly Lock _gate = new();
    private readonly HandlerIdentity _handler;
    private readonly CancellationTokenSource _stop = new();
    private CancellationTokenSource _take = new();
    private TaskCompletionSource _changed = NewSignal();
    private MessageHandlerState _state;
    private Exception? _lastFailure;
    private int _failuresInRow;
    private long _openedAt;

    // One worker tries a message after the pause of an open circuit. While it waits for one, a worker that has a message may try too.
    private bool _isTrying;
    private bool _isTryingMessage;

    // The name of the queue's directory, which is known from the start on. Interruptions are counted from then on.
    private string? _queueLabel;

    public HandlerFlow(HandlerIdentity handler)
    {
        _handler = handler;
        Stopping = _stop.Token;
    }

    /// <summary>Cancelled when the handler stops: no further message begins, and waits before a further attempt end.</summary>
    public CancellationToken Stopping { get; }

    public MessageHandlerState State
    {
        get
        {
            lock (_gate)
            {
                return _state;
            }
        }
    }

    public Exception? LastFailure => Volatile.Read(ref _lastFailure);

    /// <summary>Whether the last attempt of some worker failed.</summary>
    public bool HasFailures => Volatile.Read(ref _failuresInRow) != 0;

    /// <summary>Lets the workers begin.</summary>
    /// <param name="queueLabel">The name of the queue in metrics.</param>
    public void Start(string queueLabel)
    {
        lock (_gate)
        {
            _queueLabel = queueLabel;

            // It may have been paused before the start.
            if (_state == MessageHandlerState.NotStarted)
            {
                _state = MessageHandlerState.Running;
            }
            else if (IsInterrupted(_state))
            {
                HandlerMetrics.CountInterruption(queueLabel, _handler.Name, begins: true);
            }
        }
    }

    /// <summary>Waits until the worker may begin.</summary>
    /// <param name="hasMessage">Whether it has a message in hand, which a pause does not hold.</param>
    /// <returns>The token that ends its taking of messages; null if the handler stops.</returns>
    public async ValueTask<CancellationToken?> EnterAsync(bool hasMessage)
    {
        while (true)
        {
            Task wait;
            lock (_gate)
            {
                // The state is checked, since the token is cancelled a moment later: nothing would wake a worker that begins to wait in between.
                if (_state is MessageHandlerState.Failed or MessageHandlerState.Stopped)
                {
                    return null;
                }

                if (TryAdmit(hasMessage))
                {
                    return _take.Token;
                }

                var rest = _state == MessageHandlerState.CircuitOpen && MayTry(hasMessage) ? RestOfBreak() : Timeout.InfiniteTimeSpan;
                wait = rest == Timeout.InfiniteTimeSpan ? _changed.Task : Task.WhenAny(_changed.Task, Task.Delay(rest, _handler.Time, Stopping));
            }

            await wait.ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the time of a break, or until the handler continues: a worker that has broken the circuit does not try again before that.</summary>
    public async ValueTask AwaitBreakAsync()
    {
        var start = _handler.Time.GetTimestamp();
        while (true)
        {
            Task wait;
            lock (_gate)
            {
                var rest = _handler.Options.BreakDuration - _handler.Time.GetElapsedTime(start);
                if (_state is not (MessageHandlerState.Paused or MessageHandlerState.CircuitOpen) || rest <= TimeSpan.Zero)
                {
                    return;
                }

                wait = Task.WhenAny(_changed.Task, Task.Delay(rest, _handler.Time, Stopping));
            }

            await wait.ConfigureAwait(false);
        }
    }

    /// <summary>Holds all workers that have no message.</summary>
    public void Pause()
    {
        lock (_gate)
        {
            if (_state is not (MessageHandlerState.NotStarted or MessageHandlerState.Running or MessageHandlerState.CircuitOpen))
            {
                return;
            }

            Change(MessageHandlerState.Paused);
            _handler.Logger.Paused(_handler.Queue, _handler.Name);
        }
    }

    /// <summary>Lets the workers continue, even if the circuit is open.</summary>
    public void Resume()
    {
        lock (_gate)
        {
            if (_state is not (MessageHandlerState.Paused or MessageHandlerState.CircuitOpen))
            {
                return;
            }

            Change(_queueLabel is null ? MessageHandlerState.NotStarted : MessageHandlerState.Running);
            _handler.Logger.Resumed(_handler.Queue, _handler.Name);
        }
    }

    /// <summary>Notes a failed attempt; after too many in a row the circuit opens.</summary>
    public void NoteFailure(Exception failure)
    {
        lock (_gate)
        {
            Volatile.Write(ref _lastFailure, failure);
            _failuresInRow++;
            if (_handler.Options.BreakAfter is not { } most || _failuresInRow < most)
            {
                EndTry();
            }
            else if (_state == MessageHandlerState.Running || _isTrying)
            {
                Open();
                _handler.Logger.CircuitOpened(failure, _handler.Queue, _handler.Name, _handler.Options.BreakDuration, _failuresInRow);
            }
        }
    }

    /// <summary>Notes a malformed message, which says nothing about the handler: if it was the try, another message may be tried.</summary>
    public void NoteMalformed()
    {
        lock (_gate)
        {
            EndTry();
        }
    }

    /// <summary>Opens the circuit at once. The caller has logged the reason.</summary>
    public void Break(Exception failure)
    {
        lock (_gate)
        {
            Volatile.Write(ref _lastFailure, failure);
            _failuresInRow++;
            if (_state is MessageHandlerState.Running or MessageHandlerState.CircuitOpen)
            {
                Open();
            }
        }
    }

    /// <summary>Notes a handled message. If the circuit was open and this was the try, it closes.</summary>
    public void NoteSuccess()
    {
        lock (_gate)
        {
            if (_state == MessageHandlerState.CircuitOpen)
            {
                if (!_isTrying)
                {
                    return;
                }

                Change(MessageHandlerState.Running);
                _handler.Logger.Resumed(_handler.Queue, _handler.Name);
            }

            _failuresInRow = 0;
        }
    }

    /// <summary>Ends the taking of messages for good, because of a failure.</summary>
    public void Fail(Exception failure)
    {
        lock (_gate)
        {
            if (_state is MessageHandlerState.Failed or MessageHandlerState.Stopped)
            {
                return;
            }

            Volatile.Write(ref _lastFailure, failure);
            Change(MessageHandlerState.Failed);
            _handler.Logger.Failed(failure, _handler.Queue, _handler.Name);
        }

        _stop.Cancel();
    }

    /// <summary>Ends the taking of messages, and the waits before further attempts.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            if (_state != MessageHandlerState.Failed)
            {
                Change(MessageHandlerState.Stopped);
            }
            else if (_queueLabel is { } label)
            {
                // It stays failed, and is no longer one of the handlers of this process.
                _queueLabel = null;
                HandlerMetrics.CountInterruption(label, _handler.Name, begins: false);
            }
        }

        _stop.Cancel();
    }

    /// <summary>Ends the taking of messages. The sources hold no timers: workers that are left may still look at their tokens.</summary>
    public void Dispose() => Stop();

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static bool IsInterrupted(MessageHandlerState state) => state is MessageHandlerState.Paused or MessageHandlerState.CircuitOpen or MessageHandlerState.Failed;

    private bool TryAdmit(bool hasMessage)
    {
        switch (_state)
        {
            case MessageHandlerState.Running:
                return true;
            case MessageHandlerState.Paused:
                return hasMessage;
            case MessageHandlerState.CircuitOpen when MayTry(hasMessage) && RestOfBreak() <= TimeSpan.Zero:
                _isTrying = true;
                _isTryingMessage = hasMessage;
                return true;
            default:
                return false;
        }
    }

    private bool MayTry(bool hasMessage) => !_isTrying || (hasMessage && !_isTryingMessage);

    private TimeSpan RestOfBreak()
    {
        var rest = _handler.Options.BreakDuration - _handler.Time.GetElapsedTime(_openedAt);
        return rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
    }

    private void EndTry()
    {
        if (_isTrying)
        {
            Change(MessageHandlerState.CircuitOpen);
        }
    }

    private void Open()
    {
        _openedAt = _handler.Time.GetTimestamp();
        Change(MessageHandlerState.CircuitOpen);
    }

    private void Change(MessageHandlerState state)
    {
        if (_queueLabel is not null && IsInterrupted(state) != IsInterrupted(_state))
        {
            HandlerMetrics.CountInterruption(_queueLabel, _handler.Name, IsInterrupted(state));
        }

        _state = state;
        _isTrying = false;
        if (state == MessageHandlerState.Running)
        {
            _failuresInRow = 0;
        }

        var (changed, take) = (_changed, _take);
        (_changed, _take) = (NewSignal(), new CancellationTokenSource());
        changed.SetResult();
        take.Cancel();
    }
}
