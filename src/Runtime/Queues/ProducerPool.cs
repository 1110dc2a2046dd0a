using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// The producers of a publisher. A thread takes one from the place of its processor, or from the next place, by one exchange. If none is idle, another
/// is opened, up to a limit; at the limit, and while the queue has no room for another one, the thread waits. Thread-safe.
/// </summary>
internal sealed class ProducerPool<TSource> : IDisposable
    where TSource : IBufferedMessageSource<TSource>
{
    // After a queue had no room for another producer, each try would look at all of its participants, or wait for the membership lock again.
    private static readonly TimeSpan RefusedPause = TimeSpan.FromSeconds(1);

    private readonly MessageQueue _queue;
    private readonly ProducerOptions? _options;
    private readonly MessageProducer<TSource>?[] _idle;

    private readonly SemaphoreSlim _returned = new(0);
    private readonly Lock _opening = new();
    private readonly List<MessageProducer<TSource>> _all = [];
    private int _count;
    private int _waiters;
    private long? _refusedAt;
    private bool _isDisposed;

    /// <param name="queue">A handle of the publisher's own. The first producer is opened at once, so that a queue that refuses it does so here.</param>
    /// <param name="options">The options of each producer. Later changes do not reach those that are opened later.</param>
    public ProducerPool(MessageQueue queue, ProducerOptions? options)
    {
        _queue = queue;
        _options = options?.Copy();
        _idle = new MessageProducer<TSource>?[queue.ProducerMode == ProducerMode.Single ? 1 : Environment.ProcessorCount];
        try
        {
            TryCount();
            Return(Open());
        }
        catch
        {
            queue.Dispose();
            throw;
        }
    }

    /// <summary>Takes a producer; waits for one when all are in use.</summary>
    /// <returns>The producer, and the rest of the timeout; null if none was returned in that time.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The publisher is disposed.</exception>
    public (MessageProducer<TSource>? Producer, TimeSpan TimeLeft) Rent(TimeSpan timeout, CancellationToken cancellationToken)
    {
        WaitLadder.RequireTimeout(timeout);
        return TryRent() is { } producer ? (producer, timeout) : Await(timeout, cancellationToken);
    }

    /// <summary>Takes a producer as <see cref="Rent"/> does, without blocking a thread.</summary>
    /// <returns>The producer, and the rest of the timeout.</returns>
    /// <exception cref="TimeoutException">No producer was returned in that time.</exception>
    /// <inheritdoc cref="Rent" path="/exception"/>
    public async ValueTask<(MessageProducer<TSource> Producer, TimeSpan TimeLeft)> RentAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        WaitLadder.RequireTimeout(timeout);
        if (TryRent() is { } idle)
        {
            return (idle, timeout);
        }

        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            bool isReturned;
            try
            {
                isReturned = await _returned.WaitAsync(RestOfTime.Of(timeout, start), cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                Interlocked.Decrement(ref _waiters);
            }

            if (!isReturned && RestOfTime.IsOver(timeout, start))
            {
                throw new TimeoutException($"All producers of the publisher stayed in use for {timeout}. Nothing was published.");
            }

            if (TryRent() is { } returned)
            {
                return (returned, RestOfTime.Left(timeout, start));
            }
        }
    }

    /// <summary>Gives a producer back.</summary>
    public void Return(MessageProducer<TSource> producer)
    {
        // There are as many places as producers, so one is free, though other threads may take it first.
        for (var place = Thread.GetCurrentProcessorId(); Interlocked.CompareExchange(ref PlaceOf(place), producer, null) is not null; place++)
        {
        }

        // The exchange is the fence between the place and this check.
        if (Volatile.Read(ref _waiters) > 0)
        {
            _returned.Release();
        }
    }

    public void Dispose()
    {
        List<MessageProducer<TSource>> all;
        lock (_opening)
        {
            if (_isDisposed)
            {
                return;
            }

            Volatile.Write(ref _isDisposed, true);
            all = [.. _all];
        }

        foreach (var producer in all)
        {
            producer.Dispose();
        }

        _queue.Dispose();
    }

    private (MessageProducer<TSource>? Producer, TimeSpan TimeLeft) Await(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            bool isReturned;
            try
            {
                isReturned = _returned.Wait(RestOfTime.Of(timeout, start), cancellationToken);
            }
            finally
            {
                Interlocked.Decrement(ref _waiters);
            }

            if (!isReturned && RestOfTime.IsOver(timeout, start))
            {
                return (null, TimeSpan.Zero);
            }

            if (TryRent() is { } producer)
            {
                return (producer, RestOfTime.Left(timeout, start));
            }
        }
    }

    /// <summary>Takes an idle producer, or opens one. Null at the limit; the caller then counts as a waiter.</summary>
    private MessageProducer<TSource>? TryRent()
    {
        if (TryTake() is { } idle)
        {
            return idle;
        }

        if (TryOpen() is { } opened)
        {
            return opened;
        }

        // Counted before the last try, so that a later return sees the waiter.
        Interlocked.Increment(ref _waiters);
        if (TryTake() is not { } returned)
        {
            return null;
        }

        Interlocked.Decrement(ref _waiters);
        return returned;
    }

    private MessageProducer<TSource>? TryTake()
    {
        var first = Thread.GetCurrentProcessorId();
        for (var i = 0; i < _idle.Length; i++)
        {
            ref var place = ref PlaceOf(first + i);
            if (Volatile.Read(ref place) is not null && Interlocked.Exchange(ref place, null) is { } idle)
            {
                return idle;
            }
        }

        return null;
    }

    private MessageProducer<TSource>? TryOpen()
    {
        if (!TryCount())
        {
            return null;
        }

        try
        {
            return Open();
        }
        catch (Exception exception) when (exception is QueueInUseException or (InvalidOperationException and not ObjectDisposedException))
        {
            // The queue has no room for another participant, or a stopped process holds its membership lock. The producers that are open come back.
            lock (_opening)
            {
                _refusedAt = Stopwatch.GetTimestamp();
            }

            return null;
        }
    }

    // Opened while no lock is held: a listener to the queue's events, which is called then, may use this publisher.
    private MessageProducer<TSource> Open()
    {
        MessageProducer<TSource>? producer = null;
        try
        {
            producer = _queue.OpenProducer<TSource>(_options);
        }
        finally
        {
            Keep(producer);
        }

        return producer;
    }

    private bool TryCount()
    {
        lock (_opening)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(MessagePublisher<TSource>));
            var isBelowLimit = _count < _idle.Length && (_refusedAt is not { } refused || Stopwatch.GetElapsedTime(refused) >= RefusedPause);
            _count += isBelowLimit ? 1 : 0;
            return isBelowLimit;
        }
    }

    /// <summary>Keeps a producer that was counted and opened; null if it could not be opened.</summary>
    private void Keep(MessageProducer<TSource>? producer)
    {
        lock (_opening)
        {
            if (producer is null)
            {
                _count--;
                return;
            }

            _all.Add(producer);
            if (!_isDisposed)
            {
                return;
            }
        }

        producer.Dispose();
        throw new ObjectDisposedException(nameof(MessagePublisher<TSource>));
    }

    private ref MessageProducer<TSource>? PlaceOf(int number) => ref _idle[(uint)number % (uint)_idle.Length];
}
