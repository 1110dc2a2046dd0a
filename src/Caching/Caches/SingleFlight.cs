using System.Collections.Concurrent;

namespace BufferedMessages.Caching;

/// <summary>Lets one of many callers that miss the same key create the value, and the others wait for it.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
internal sealed class SingleFlight<TKey>
    where TKey : notnull
{
    private readonly ConcurrentDictionary<(TKey Key, Type Value), Flight> _flights = new(new FlightComparer());

    // The creation in which the current asynchronous flow is.
    private readonly AsyncLocal<Flight?> _inside = new();

    /// <summary>Creates a value, or waits for its creation, which is not cancelled then.</summary>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the value.</param>
    /// <param name="watchRemoval">
    /// Called when a creation may begin. The result tells whether the value has been removed since: callers that come after the removal do not get it. A null result means never.
    /// </param>
    /// <exception cref="InvalidOperationException">The caller is creating the value.</exception>
    public T Run<T>(TKey key, Func<T> create, Func<Func<bool>?> watchRemoval)
    {
        var outer = _inside.Value;
        Flight<T> flight;
        while (true)
        {
            // The thread that creates the value waits for it too.
            flight = new Flight<T>(watchRemoval()) { Outer = outer };
            flight.TryJoin();
            var current = (Flight<T>)_flights.GetOrAdd((key, typeof(T)), flight);
            if (ReferenceEquals(current, flight))
            {
                break;
            }

            RequireOutside(current);
            if (!current.WasRemoved && current.TryJoin())
            {
                return Await(current);
            }

            // The value was removed; or all waiters were cancelled, and so is the creation. This caller starts another one when that is over.
            Task.WaitAny(current.Result.Task);
        }

        try
        {
            _inside.Value = flight;
            var value = create();
            Land(key, flight);
            flight.Result.SetResult(value);
            return value;
        }
        catch (Exception exception)
        {
            Land(key, flight);
            flight.Fail(exception);
            throw;
        }
        finally
        {
            _inside.Value = outer;
        }
    }

    /// <summary>Creates a value, or waits for its creation. When all waiters are cancelled, so is the creation.</summary>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the value.</param>
    /// <param name="watchRemoval">As for <see cref="Run"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidOperationException">The caller is creating the value.</exception>
    public async ValueTask<T> RunAsync<T>(TKey key, Func<CancellationToken, ValueTask<T>> create, Func<Func<bool>?> watchRemoval, CancellationToken cancellationToken)
    {
        while (true)
        {
            // Before others find it: if one of them joined and left first, it would count as cancelled before it was begun.
            var flight = new Flight<T>(watchRemoval()) { Outer = _inside.Value };
            flight.TryJoin();
            var current = (Flight<T>)_flights.GetOrAdd((key, typeof(T)), flight);
            if (ReferenceEquals(current, flight))
            {
                _ = Task.Run(() => FlyAsync(key, flight, create), CancellationToken.None);
            }
            else
            {
                RequireOutside(current);
                if (current.WasRemoved || !current.TryJoin())
                {
                    // The value was removed; or all waiters were cancelled, and so is the creation. This caller starts another one when that is over.
                    await Task.WhenAny(current.Result.Task).WaitAsync(cancellationToken).ConfigureAwait(false);
                    continue;
                }
            }

            try
            {
                return await current.Result.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                current.Leave();
            }
        }
    }

    /// <summary>Creates a value in the background. Callers that miss the key wait for it, and their leaving does not cancel it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="create">Creates the value.</param>
    /// <param name="wasRemoved">Tells whether the value was removed while it is created; null means never.</param>
    /// <returns>False when the value is being created already.</returns>
    public bool TryStart<T>(TKey key, Func<ValueTask<T>> create, Func<bool>? wasRemoved)
    {
        if (_flights.ContainsKey((key, typeof(T))))
        {
            return false;
        }

        // The current creation, if there is one, does not wait for it.
        var flight = new Flight<T>(wasRemoved);
        flight.TryJoin();
        if (!_flights.TryAdd((key, typeof(T)), flight))
        {
            flight.Dispose();
            return false;
        }

        _ = Task.Run(() => FlyAsync(key, flight, _ => create()), CancellationToken.None);
        return true;
    }

    private static T Await<T>(Flight<T> flight)
    {
        try
        {
            return flight.Result.Task.GetAwaiter().GetResult();
        }
        finally
        {
            flight.Leave();
        }
    }

    private async Task FlyAsync<T>(TKey key, Flight<T> flight, Func<CancellationToken, ValueTask<T>> create)
    {
        try
        {
            _inside.Value = flight;
            var value = await create(flight.Cancellation).ConfigureAwait(false);
            Land(key, flight);
            flight.Result.SetResult(value);
        }
        catch (Exception exception)
        {
            Land(key, flight);
            flight.Fail(exception);
        }
    }

    private void Land<T>(TKey key, Flight<T> flight)
    {
        _flights.TryRemove(new KeyValuePair<(TKey, Type), Flight>((key, typeof(T)), flight));
        flight.Outer = null;
        flight.Dispose();
    }

    // A creation that waited for its own end would never complete.
    private void RequireOutside(Flight current)
    {
        for (var flight = _inside.Value; flight is not null; flight = flight.Outer)
        {
            if (ReferenceEquals(flight, current))
            {
                throw new InvalidOperationException("The value is being created here: the create callback must not ask the cache for the same key.");
            }
        }
    }

    private abstract class Flight
    {
        /// <summary>The creation that has asked for this one; null for none, and at the end.</summary>
        public Flight? Outer { get; set; }
    }

    private sealed class Flight<T>(Func<bool>? wasRemoved) : Flight, IDisposable
    {
        private readonly CancellationTokenSource _cancellation = new();
        private int _waiters;
        private bool _isLeft;

        public TaskCompletionSource<T> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public CancellationToken Cancellation => _cancellation.Token;

        /// <summary>Gets whether the value was removed while it is created.</summary>
        public bool WasRemoved => wasRemoved?.Invoke() ?? false;

        public bool TryJoin()
        {
            lock (_cancellation)
            {
                _waiters += _isLeft ? 0 : 1;
                return !_isLeft;
            }
        }

        public void Leave()
        {
            lock (_cancellation)
            {
                _isLeft = --_waiters == 0;
                if (!_isLeft || Result.Task.IsCompleted)
                {
                    return;
                }
            }

            try
            {
                _cancellation.Cancel();
            }
            catch (Exception exception) when (exception is ObjectDisposedException or AggregateException)
            {
                // The creation is just ending, or a user's callback on its token has failed, which is not the fault of the caller that leaves.
            }
        }

        public void Dispose() => _cancellation.Dispose();

        public void Fail(Exception exception)
        {
            Result.SetException(exception);

            // Observed here, because there may be no waiter to observe it.
            _ = Result.Task.Exception;
        }
    }

    // Memory is equal by address, but keys are equal by content.
    private sealed class FlightComparer : IEqualityComparer<(TKey Key, Type Value)>
    {
        public bool Equals((TKey Key, Type Value) x, (TKey Key, Type Value) y) =>
            x.Value == y.Value
            && (x.Key is ReadOnlyMemory<byte> one && y.Key is ReadOnlyMemory<byte> other
                ? one.Span.SequenceEqual(other.Span)
                : EqualityComparer<TKey>.Default.Equals(x.Key, y.Key));

        public int GetHashCode((TKey Key, Type Value) obj)
        {
            if (obj.Key is not ReadOnlyMemory<byte> bytes)
            {
                return HashCode.Combine(obj.Key, obj.Value);
            }

            var hash = default(HashCode);
            hash.AddBytes(bytes.Span);
            hash.Add(obj.Value);
            return hash.ToHashCode();
        }
    }
}
