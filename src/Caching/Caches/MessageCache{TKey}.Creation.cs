using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <content>The creation of values that are missing, near their end or expired.</content>
public sealed partial class MessageCache<TKey>
{
    private readonly SingleFlight<TKey> _flights = new();
    private readonly BackgroundRefreshes _refreshes = new();

    private T GetOrCreate<T, TValue>(TKey key, Func<TKey, T> create, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
    {
        ArgumentNullException.ThrowIfNull(create);
        RequireChanges();
        expiry = expiry.Or(_store.DefaultExpiry);
        var found = Find<T, TValue>(key, stored, expiry);
        if (found.IsAging)
        {
            RefreshBy(key, create, stored, expiry);
        }

        return found.IsHit ? found.Value! : CreateAlone(key, create, stored, expiry);
    }

    // Separate methods, because a lambda allocates where its method begins.
    private T CreateAlone<T, TValue>(TKey key, Func<TKey, T> create, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
        => _flights.Run(key, () => Create(key, create, stored, expiry), () => RemovalFromNowOn(expiry));

    private void RefreshBy<T, TValue>(TKey key, Func<TKey, T> create, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
        => Refresh(key, (owned, _) => ValueTask.FromResult(create(owned)), stored, expiry);

    private async ValueTask<T> GetOrCreateAsync<T, TValue>(
        TKey key, Func<TKey, CancellationToken, ValueTask<T>> create, TValue stored, CacheExpiry expiry, CancellationToken cancellationToken)
        where TValue : struct, ISettableValue<T>
    {
        ArgumentNullException.ThrowIfNull(create);
        cancellationToken.ThrowIfCancellationRequested();
        RequireChanges();
        expiry = expiry.Or(_store.DefaultExpiry);
        var found = IsInMemory(key)
            ? Find<T, TValue>(key, stored, expiry)
            : await Task.Run(() => Find<T, TValue>(key, stored, expiry), cancellationToken).ConfigureAwait(false);
        if (found.IsAging)
        {
            Refresh(key, create, stored, expiry);
        }

        return found.IsHit
            ? found.Value!
            : await CreateAloneAsync(key, create, stored, expiry, cancellationToken).ConfigureAwait(false);
    }

    // A cancelled caller may reuse the memory of its key while the creation goes on.
    private ValueTask<T> CreateAloneAsync<T, TValue>(
        TKey key, Func<TKey, CancellationToken, ValueTask<T>> create, TValue stored, CacheExpiry expiry, CancellationToken cancellationToken)
        where TValue : struct, ISettableValue<T>
    {
        var owned = CacheKey.Own(key);
        return _flights.RunAsync(owned, whenAllLeft => CreateAsync(owned, create, stored, expiry, isRefresh: false, whenAllLeft), () => RemovalFromNowOn(expiry), cancellationToken);
    }

    // Looking for the file of tags is a call of the system, which an entry without tags does not need.
    private CacheExpiry BornNow(in CacheExpiry expiry) => expiry.TagBytes.IsEmpty ? expiry : expiry.BornAt(_store.Tags.Now);

    // Tells later whether a tag of a value that is created from now on was removed; null without tags.
    private Func<bool>? RemovalFromNowOn(in CacheExpiry expiry) => expiry.TagBytes.IsEmpty ? null : RemovalOf(BornNow(expiry));

    private Func<bool> RemovalOf(CacheExpiry born) => () => !_store.Tags.Hold(born.TagBytes);

    private T Create<T, TValue>(TKey key, Func<TKey, T> create, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
    {
        var wait = default(FlightWait);
        while (true)
        {
            var isAlone = TryBegin<T>(key, out var flight);
            using (flight)
            {
                if (TryFindNew(key, stored, expiry, isRefresh: false, out T? set))
                {
                    return set!;
                }

                if (isAlone)
                {
                    T value;
                    expiry = BornNow(expiry);
                    try
                    {
                        value = create(key);
                    }
                    catch (Exception exception)
                    {
                        if (TryServeInstead(key, stored, expiry, isRefresh: false, exception, out T? stale))
                        {
                            return stale!;
                        }

                        throw;
                    }

                    Keep(key, value, stored, expiry);
                    return value;
                }
            }

            Thread.Sleep(wait.Next());
        }
    }

    private async ValueTask<T> CreateAsync<T, TValue>(
        TKey key, Func<TKey, CancellationToken, ValueTask<T>> create, TValue stored, CacheExpiry expiry, bool isRefresh, CancellationToken cancellationToken)
        where TValue : struct, ISettableValue<T>
    {
        var wait = default(FlightWait);
        while (true)
        {
            var isAlone = TryBegin<T>(key, out var flight);
            using (flight)
            {
                if (TryFindNew(key, stored, expiry, isRefresh, out T? set))
                {
                    return set!;
                }

                if (isAlone)
                {
                    T value;
                    expiry = BornNow(expiry);
                    try
                    {
                        value = await create(key, cancellationToken).ConfigureAwait(false);
                    }
                    catch (Exception exception) when (!cancellationToken.IsCancellationRequested)
                    {
                        if (TryServeInstead(key, stored, expiry, isRefresh, exception, out T? stale))
                        {
                            return stale!;
                        }

                        throw;
                    }

                    // It is kept, though all callers may have left. Closing the cache does not wait for the owner.
                    await KeepAsync(key, value, stored, expiry, isRefresh ? cancellationToken : CancellationToken.None).ConfigureAwait(false);
                    return value;
                }
            }

            await Task.Delay(wait.Next(), cancellationToken).ConfigureAwait(false);
        }
    }

    // Creates a new value while the found one is used, unless it is being created already.
    private void Refresh<T, TValue>(TKey key, Func<TKey, CancellationToken, ValueTask<T>> create, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
    {
        // The memory of the key is the caller's and may be gone, so it is copied before a refresh begins: one that never ends would keep the cache open.
        var owned = CacheKey.Own(key);
        var removal = RemovalFromNowOn(expiry);
        if (!_refreshes.TryEnter())
        {
            return;
        }

        if (!_flights.TryStart(owned, RunAsync, removal))
        {
            _refreshes.Exit();
        }

        async ValueTask<T> RunAsync()
        {
            try
            {
                _refreshes.MarkInside();
                return await CreateAsync(owned, create, stored, expiry, isRefresh: true, _refreshes.Stop).ConfigureAwait(false);
            }
            catch (Exception) when (_refreshes.Stop.IsCancellationRequested)
            {
                // For the callers that wait for the value: none of them has cancelled it.
                throw CacheFailures.Disposed(Directory);
            }
            catch (Exception exception)
            {
                _store.Counters.CountFailedRefresh(exception);
                throw;
            }
            finally
            {
                _refreshes.Exit();
            }
        }
    }

    private FoundValue<T> Find<T, TValue>(TKey key, TValue stored, CacheExpiry expiry, bool isAgain = false)
        where TValue : struct, ISettableValue<T>
    {
        if (TryGet(key, out var lease))
        {
            using (lease)
            {
                if (stored.TryRead(this, lease, out var value))
                {
                    return new FoundValue<T>(IsAging(lease, expiry) ? ValueAge.Aging : ValueAge.Fresh, value);
                }

                _reader.Refuse(isAgain);
                return default;
            }
        }

        if (!TryGetStale(key, stored, expiry.StaleWhileRevalidate, out T? stale))
        {
            return default;
        }

        _store.Counters.CountStale();
        return new FoundValue<T>(ValueAge.Stale, stale);
    }

    // The thread or process that has created it before may just have set it. The miss of the call is counted already, and so is a damaged entry, however often it looks.
    [SkipLocalsInit]
    private bool TryFindNew<T, TValue>(TKey key, TValue stored, CacheExpiry expiry, bool isRefresh, out T? value)
        where TValue : struct, ISettableValue<T>
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        var found = _reader.Contains(encoded.Bytes, isWhole: true) ? Find<T, TValue>(key, stored, expiry, isAgain: true) : default;
        value = found.Value;
        return found.Age == ValueAge.Fresh || (found.IsHit && !isRefresh);
    }

    // The expired value in place of an exception.
    private bool TryServeInstead<T, TValue>(TKey key, TValue stored, CacheExpiry expiry, bool isRefresh, Exception exception, out T? value)
        where TValue : struct, ISettableValue<T>
    {
        if (!TryGetStale(key, stored, expiry.StaleIfError, out value))
        {
            return false;
        }

        _store.Counters.CountFailedRefresh(exception);
        if (!isRefresh)
        {
            _store.Counters.CountStale();
        }

        return true;
    }

    private bool IsAging(CacheLease lease, CacheExpiry expiry) =>
        expiry.RefreshAhead != TimeSpan.Zero
        && lease.Entry.Record.ReadTimes().First is var first and not ExpiryTimes.Never
        && first - ExpiryTimes.Now(Clock) <= ExpiryTimes.Milliseconds(expiry.RefreshAhead);

    [SkipLocalsInit]
    private bool TryGetStale<T, TValue>(TKey key, TValue stored, TimeSpan longest, out T? value)
        where TValue : struct, ISettableValue<T>
    {
        value = default;
        if (longest == TimeSpan.Zero)
        {
            return false;
        }

        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        if (!_reader.TryGetStale(encoded.Bytes, out var entry))
        {
            return false;
        }

        try
        {
            return ExpiryTimes.Now(Clock) - entry.Record.ReadTimes().First < ExpiryTimes.Milliseconds(longest)
                && stored.TryRead(this, new CacheLease(entry), out value);
        }
        finally
        {
            entry.Leases!.Undo(entry.Ticket);
        }
    }

    private void RequireChanges()
    {
        if (_engine.Writer is null)
        {
            RequireSharing();
        }
    }

    // False while another process creates the value.
    [SkipLocalsInit]
    private bool TryBegin<T>(TKey key, out KeyFlight flight)
    {
        flight = default;
        if (_sharing is null)
        {
            return true;
        }

        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        return KeyFlight.TryBegin(_sharing.Flights, KeyFlights.NumberOf<T>(encoded.Bytes), out flight);
    }

    // The value is returned even when the cache has no room for it or cannot write its files, or its time passed while it was created.
    private void Keep<T, TValue>(TKey key, T value, TValue stored, CacheExpiry expiry)
        where TValue : struct, ISettableValue<T>
    {
        if (value is null)
        {
            return;
        }

        try
        {
            stored.Set(this, key, value, expiry);
        }
        catch (Exception exception) when (IsNotKept(exception, expiry))
        {
            CountNotKept(exception);
        }
    }

    private async ValueTask KeepAsync<T, TValue>(TKey key, T value, TValue stored, CacheExpiry expiry, CancellationToken cancellationToken)
        where TValue : struct, ISettableValue<T>
    {
        if (value is null)
        {
            return;
        }

        try
        {
            await stored.SetAsync(this, key, value, expiry, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsNotKept(exception, expiry))
        {
            CountNotKept(exception);
        }
    }

    private bool IsNotKept(Exception exception, CacheExpiry expiry) =>
        exception is IOException or UnauthorizedAccessException or TimeoutException or NewerOwnerException || (exception is ArgumentOutOfRangeException && expiry.HasPassed(Clock));

    // An entry whose time has passed is not there in any case.
    private void CountNotKept(Exception exception)
    {
        if (exception is not ArgumentOutOfRangeException)
        {
            _store.Counters.CountNotKept();
        }
    }
}
