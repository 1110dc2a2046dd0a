namespace BufferedMessages.Caching;

/// <summary>
/// The part of this process in a cache that several processes share. One of them owns the cache; the others read in place, and ask it for changes. When the owner is gone, the first process that
/// gets the writer's lease becomes the owner.
/// </summary>
internal sealed class SharedCache : IDisposable
{
    // To ask for a lock that another process holds takes a few microseconds.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    // After a takeover that failed, for example because the disk is full.
    private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);

    // Beyond the time that the owner may wait for a segment: enough for a takeover.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    // Enough for a large index. An owner that was stopped makes none until it continues.
    private static readonly TimeSpan IndexPatience = TimeSpan.FromMinutes(1);

    private readonly string _directory;
    private readonly int _keyKind;
    private readonly MessageCacheOptions _options;
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _stop = new();
    private readonly Action<CacheEngine> _becomeOwner;
    private readonly CacheEngine _first;
    private readonly Thread? _watch;
    private CacheEngine _engine;
    private OwnerDesk? _desk;
    private OwnerLine? _line;
    private Exception? _failure;
    private bool _isDisposed;

    /// <param name="engine">The engine of this process: the owner's, or one that only reads.</param>
    /// <param name="keyKind">The kind of the keys.</param>
    /// <param name="options">The options.</param>
    /// <param name="becomeOwner">Called when this process becomes the owner, before it makes changes for others. Reads through the first engine continue.</param>
    public SharedCache(CacheEngine engine, int keyKind, MessageCacheOptions options, Action<CacheEngine> becomeOwner)
    {
        _directory = engine.Store.Control.Directory;
        _keyKind = keyKind;
        _options = options;
        _becomeOwner = becomeOwner;
        _first = engine;
        _engine = engine;
        Flights = new KeyFlights(_directory, engine.Store.Control.Permissions);
        if (engine.Store.IsReadOnly)
        {
            _watch = new Thread(Watch) { IsBackground = true, Name = "MessageCache owner" };
            _watch.Start();
        }
        else
        {
            _desk = new OwnerDesk(engine);
        }
    }

    /// <summary>Gets the locks of keys whose values are being created.</summary>
    public KeyFlights Flights { get; }

    private bool IsOwner => !Volatile.Read(ref _engine).Store.IsReadOnly;

    /// <summary>Opens the engine of a shared cache: for writing if no process owns it, otherwise for reading, once there is an index.</summary>
    /// <exception cref="CacheInUseException">A process that does not share it has it open for writing.</exception>
    public static CacheEngine OpenEngine(string directory, int keyKind, MessageCacheOptions options) => OpenEngine(directory, keyKind, options, IndexPatience);

    /// <summary>Opens the engine of a shared cache, and waits at most for some time for the first index.</summary>
    /// <inheritdoc cref="OpenEngine(string, int, MessageCacheOptions)"/>
    public static CacheEngine OpenEngine(string directory, int keyKind, MessageCacheOptions options, TimeSpan indexPatience)
    {
        var deadline = Environment.TickCount64 + (long)Patience.TotalMilliseconds;
        var indexDeadline = Environment.TickCount64 + (long)indexPatience.TotalMilliseconds;
        CacheControl? control = null;
        while (true)
        {
            if (CacheOpening.TryOpen(directory, keyKind, options) is { } owner)
            {
                return owner;
            }

            if (File.Exists(CacheFiles.Control(directory)) && File.Exists(CacheFiles.Owner(directory)))
            {
                control ??= CacheControl.Open(directory, keyKind, FileAccess.Read);
                if (control.WasOpened || Environment.TickCount64 > indexDeadline)
                {
                    return CacheOpening.OpenReadOnly(directory, keyKind, options, mayOwn: true);
                }

                // The first owner is making the index, which takes long if it is large: reads throw until then. If the owner dies, this process makes it.
                control.RequireInPlace();
            }
            else if (Environment.TickCount64 > deadline)
            {
                throw CacheOpening.ReadWriter(directory, keyKind);
            }

            Thread.Sleep(1);
        }
    }

    /// <summary>Asks the owner to set an entry.</summary>
    /// <returns>False when this process has become the owner.</returns>
    public bool TrySet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong schema, CacheExpiry expiry)
    {
        var head = HeadOfSet((long)key.Length + value.Length, schema, ref expiry);
        var tags = expiry.TagBytes;
        return Count(TryChange(head, tags.IsEmpty ? key : [.. key, .. tags], value));
    }

    /// <summary>Asks the owner to set an entry, and waits without a thread.</summary>
    /// <inheritdoc cref="TrySet"/>
    public async ValueTask<bool> TrySetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, ulong schema, CacheExpiry expiry, CancellationToken cancellationToken)
    {
        var head = HeadOfSet((long)key.Length + value.Length, schema, ref expiry);
        var keyAndTags = expiry.TagBytes.IsEmpty ? key : (byte[])[.. key.Span, .. expiry.TagBytes];
        return Count(await TryChangeAsync(head, keyAndTags, value, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Asks the owner to remove an entry.</summary>
    /// <returns>Whether it was there; null when this process has become the owner.</returns>
    public bool? TryRemove(ReadOnlySpan<byte> key) => TryChange(new ChangeHead { Kind = ChangeKind.Remove }, key, default);

    /// <summary>Asks the owner to remove an entry, and waits without a thread.</summary>
    /// <inheritdoc cref="TryRemove"/>
    public ValueTask<bool?> TryRemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        TryChangeAsync(new ChangeHead { Kind = ChangeKind.Remove }, key, default, cancellationToken);

    /// <summary>Asks the owner to change an expiry.</summary>
    /// <returns>Whether the entry was there; null when this process has become the owner.</returns>
    public bool? TryTouch(ReadOnlySpan<byte> key, CacheExpiry expiry) => TryChange(HeadOfTouch(expiry), key, default);

    /// <summary>Asks the owner to change an expiry, and waits without a thread.</summary>
    /// <inheritdoc cref="TryTouch"/>
    public ValueTask<bool?> TryTouchAsync(ReadOnlyMemory<byte> key, CacheExpiry expiry, CancellationToken cancellationToken) =>
        TryChangeAsync(HeadOfTouch(expiry), key, default, cancellationToken);

    /// <summary>Asks the owner to remove the tags of a group.</summary>
    /// <returns>False when this process has become the owner.</returns>
    public bool TryRemoveTags(int group) => TryChange(new ChangeHead { Kind = ChangeKind.RemoveTags, TagGroup = group }, default, default) is not null;

    /// <summary>Asks the owner to remove the tags of a group, and waits without a thread.</summary>
    /// <inheritdoc cref="TryRemoveTags"/>
    public async ValueTask<bool> TryRemoveTagsAsync(int group, CancellationToken cancellationToken) =>
        await TryChangeAsync(new ChangeHead { Kind = ChangeKind.RemoveTags, TagGroup = group }, default, default, cancellationToken).ConfigureAwait(false) is not null;

    /// <summary>Asks the owner to remove all entries.</summary>
    /// <returns>False when this process has become the owner.</returns>
    public bool TryClear() => TryChange(new ChangeHead { Kind = ChangeKind.Clear }, default, default) is not null;

    /// <summary>Reads the sizes of the cache and the counts of this process, including those of the engine that it used before it became the owner.</summary>
    public CacheStatistics ReadStatistics()
    {
        // Read once: it may be replaced during the call.
        var engine = Volatile.Read(ref _engine);
        var statistics = engine.ReadStatistics();
        return ReferenceEquals(engine, _first) ? statistics : statistics.Plus(_first.ReadStatistics());
    }

    /// <summary>Leaves the cache. An owner leaves it to the others.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
        }

        _stop.Set();
        CloseLine();
        _watch?.Join();
        _desk?.Dispose();
        Flights.Dispose();
        _engine.Dispose();
        _first.Dispose();
    }

    // Replaces the default expiry with the cache's own.
    private ChangeHead HeadOfSet(long bytes, ulong schema, ref CacheExpiry expiry)
    {
        expiry = expiry.Or(_options.DefaultExpiry);
        var times = expiry.Resolve(_engine.Store.Clock);
        if (_engine.Store.Segments.MaxEntryBytes is var most && bytes > most)
        {
            throw new CacheEntryTooLargeException(bytes, most);
        }

        return new ChangeHead { Kind = ChangeKind.Set, Schema = schema, First = times.First, Latest = times.Latest, Window = times.Window, TagBytes = expiry.TagBytes.Length };
    }

    private ChangeHead HeadOfTouch(CacheExpiry expiry)
    {
        var times = CacheWriter.ResolveTouch(expiry, _engine.Store.Clock);
        return new ChangeHead { Kind = ChangeKind.Touch, ProlongsOnly = expiry.IsDefault ? 1 : 0, First = times.First, Latest = times.Latest };
    }

    private bool Count(bool? wasSet)
    {
        if (wasSet is not null)
        {
            _first.Store.Counters.Sets.Increment();
        }

        return wasSet is not null;
    }

    // Determines whether there was an entry; null when this process has become the owner.
    private bool? TryChange(ChangeHead head, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var deadline = Deadline;
        while (IsToAsk(deadline))
        {
            using (var change = CurrentLine()?.TryBegin(ref head, key, value))
            {
                if (change?.Await(() => IsWaiting(deadline)) is { } answer)
                {
                    return Judge(in answer);
                }
            }

            _stop.Wait(1);
        }

        return null;
    }

    private async ValueTask<bool?> TryChangeAsync(ChangeHead head, ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CancellationToken cancellationToken)
    {
        var deadline = Deadline;
        while (IsToAsk(deadline))
        {
            using (var change = CurrentLine()?.TryBegin(ref head, key.Span, value.Span))
            {
                if (change is not null && await change.AwaitAsync(() => IsWaiting(deadline), deadline, cancellationToken).ConfigureAwait(false) is { } answer)
                {
                    return Judge(in answer);
                }
            }

            await Task.Delay(1, cancellationToken).ConfigureAwait(false);
        }

        return null;
    }

    private long Deadline => Environment.TickCount64 + (long)(_options.SegmentTimeout + Patience).TotalMilliseconds;

    // Whether the owner has no queue for changes now.
    private int QueueFailure => Volatile.Read(ref _first.Store.Control.Header.QueueFailure);

    private bool IsWaiting(long deadline) => !_stop.IsSet && !IsOwner && Environment.TickCount64 < deadline && QueueFailure == 0;

    // False when this process has become the owner.
    private bool IsToAsk(long deadline)
    {
        if (IsOwner)
        {
            return false;
        }

        if (_stop.IsSet)
        {
            throw CacheFailures.Disposed(_directory);
        }

        if (QueueFailure is var failure and not 0)
        {
            throw failure == ControlHeader.NoRoom
                ? new DiskFullException(CacheFiles.Sharing(_directory), 0)
                : new IOException($"The process that owns the cache '{_directory}' cannot make its queue in '{CacheFiles.Sharing(_directory)}', so it makes no changes for others. Its log has the reason.", failure);
        }

        if (Environment.TickCount64 > deadline)
        {
            throw new TimeoutException(
                $"The process that owns the cache '{_directory}' did not answer in time. Whether the change was made, or will be, is not known.", Volatile.Read(ref _failure));
        }

        return true;
    }

    private OwnerLine? CurrentLine()
    {
        lock (_gate)
        {
            if (_line is { IsCurrent: true } || _isDisposed)
            {
                return _line;
            }

            _line?.Dispose();
            _line = null;

            // The next owner may be that of another cache in this directory, of which this process sees no change.
            _first.Store.Control.RequireInPlace();
            _line = OwnerLine.TryOpen(_first.Store.Control);
            if (IsOwner)
            {
                // The line may lead to the queue of this process. A change that is given up is then made by the engine, and the queue would make it once more, over a later one.
                _line?.Dispose();
                _line = null;
            }

            return _line;
        }
    }

    // Waiting changes are given up, and continue through the engine of this process.
    private void CloseLine()
    {
        lock (_gate)
        {
            _line?.Dispose();
            _line = null;
        }
    }

    private bool Judge(in ChangeAnswer answer) => answer.Outcome switch
    {
        ChangeOutcome.Done => true,
        ChangeOutcome.NothingThere => false,
        ChangeOutcome.TooLarge => throw new CacheEntryTooLargeException(answer.Asked, answer.Limit),
        ChangeOutcome.DiskFull => throw new DiskFullException(_directory, answer.Asked),
        ChangeOutcome.NoSegment => throw CacheFailures.AllHeld(_directory),
        _ => throw new IOException($"The process that owns the cache '{_directory}' could not make the change.", answer.Code),
    };

    private void Watch()
    {
        while (!_stop.Wait(Look))
        {
            try
            {
                if (TryBecomeOwner())
                {
                    return;
                }
            }
            catch (Exception exception)
            {
                // The system may later have what it lacks now, even memory or a thread.
                Volatile.Write(ref _failure, exception);
                _stop.Wait(Retry);
            }
        }
    }

    private bool TryBecomeOwner()
    {
        if (!IsOwner)
        {
            if (CacheOpening.TryOpen(_directory, _keyKind, _options) is not { } engine)
            {
                return false;
            }

            _first.StopMetering();
            _becomeOwner(engine);
            Volatile.Write(ref _engine, engine);
        }

        _desk ??= new OwnerDesk(_engine);
        CloseLine();
        return true;
    }
}
