namespace BufferedMessages.Caching;

/// <summary>The create callbacks that run in the background. They end before the cache is closed.</summary>
internal sealed class BackgroundRefreshes : IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    // One more until the cache is closed.
    private readonly CountdownEvent _running = new(1);
    private readonly AsyncLocal<bool> _isInside = new();
    private bool _isDisposed;

    /// <summary>Gets the token that is cancelled when the cache is closed.</summary>
    public CancellationToken Stop => _stop.Token;

    /// <summary>Begins a refresh, to be ended by <see cref="Exit"/>.</summary>
    /// <returns>False when the cache is being closed.</returns>
    public bool TryEnter()
    {
        if (_stop.IsCancellationRequested || !_running.TryAddCount())
        {
            return false;
        }

        if (!_stop.IsCancellationRequested)
        {
            return true;
        }

        _running.Signal();
        return false;
    }

    /// <summary>Ends a refresh.</summary>
    public void Exit() => _running.Signal();

    /// <summary>Notes that the current asynchronous flow is a refresh, so that it does not wait for itself when it closes the cache.</summary>
    public void MarkInside() => _isInside.Value = true;

    /// <summary>Cancels the refreshes and waits until they have ended.</summary>
    public void Dispose()
    {
        if (!Interlocked.Exchange(ref _isDisposed, true))
        {
            try
            {
                _stop.Cancel();
            }
            catch (AggregateException)
            {
                // Of users' callbacks on the token, which must not keep the cache open.
            }

            _running.Signal();
        }

        if (!_isInside.Value)
        {
            _running.Wait();
        }
    }
}
