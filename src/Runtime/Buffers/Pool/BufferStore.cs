using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// The buffers of a pool, and the record of those that streams and owners hold. A rental keeps it, and the pool with it.
/// Thread-safe.
/// </summary>
internal sealed partial class BufferStore
{
    private const int ThreadsPerProcessor = 4;
    private const int LeastThreads = 64;

    private static int _poolsMade;

    private readonly Action<int, BufferDropReason> _dropped;
    private readonly Action<BufferRental> _leaked;
    private readonly BufferSizes _sizes;
    private readonly FreeStack[] _stacks;
    private readonly BlocksOfThreads _threads;
    private readonly PoolUpkeep _upkeep;
    private readonly RentalLog? _log;
    private readonly long _maxStackBytes;
    private long _stackBytes;
    private long _largeRented;
    private long _largeReturned;
    private long _largeBytesInUse;

    /// <param name="options">The options, which are valid.</param>
    /// <param name="dropped">Told of each returned buffer that is not kept.</param>
    /// <param name="leaked">Told of each rental that was collected without being disposed.</param>
    public BufferStore(BufferPoolOptions options, Action<int, BufferDropReason> dropped, Action<BufferRental> leaked)
    {
        _dropped = dropped;
        _leaked = leaked;
        Name = options.Name ?? string.Create(CultureInfo.InvariantCulture, $"pool-{Interlocked.Increment(ref _poolsMade)}");
        _sizes = new BufferSizes(options);
        _stacks = new FreeStack[_sizes.Count];
        for (var i = 0; i < _stacks.Length; i++)
        {
            _stacks[i] = new FreeStack(_sizes.BytesOf(i));
        }

        var threads = CountThreads(options.MaxFreeBytes);
        _threads = new BlocksOfThreads(threads);
        _maxStackBytes = options.MaxFreeBytes - (threads * BlockBytesPerThread);
        _pinningBytes = options.Pinned ? Alignment : 0;
        _poisonsOnReturn = options.PoisonOnReturn;
        OverwritesOnReturn = options.ClearOnReturn || options.PoisonOnReturn;
        ClearsOnReturn = options.ClearOnReturn;
        MaxStreamBytes = options.MaxStreamBytes;
        _log = options.TrackRentals ? new RentalLog(options.TimeProvider) : null;
        _upkeep = new PoolUpkeep(this, options);
        BufferPoolMetrics.Add(this);
    }

    /// <summary>The name of the pool in metrics.</summary>
    public string Name { get; }

    private long BlockBytesPerThread
    {
        get
        {
            var bytes = 0L;
            for (var i = 0; i < BufferSizes.BlockClasses; i++)
            {
                bytes += _sizes.BytesOf(i);
            }

            return bytes;
        }
    }

    /// <summary>Drops all free buffers. Rented buffers are not touched, and are kept when they come back.</summary>
    public void Trim()
    {
        foreach (var stack in _stacks)
        {
            Forget(stack.DropAll(), stack);
        }

        _threads.Drop();
    }

    /// <summary>Returns the current rentals.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => _log?.ToArray() ?? [];

    /// <summary>Reports the rentals that were collected without being disposed.</summary>
    /// <returns>The number of leaks.</returns>
    public int ReportLeaks()
    {
        if (_log is null)
        {
            return 0;
        }

        var leaks = _log.TakeLeaked();
        foreach (var rental in leaks)
        {
            _leaked(rental);
        }

        return leaks.Count;
    }

    /// <summary>Reads the counts of the pool.</summary>
    public BufferPoolStatistics GetStatistics()
    {
        var (large, largeReturned) = (Volatile.Read(ref _largeRented), Volatile.Read(ref _largeReturned));
        var (rented, inUse, allocated, free) = (0L, 0L, 0L, 0L);
        // Counted when room is taken, so that a reading during concurrent returns is not above the limit either.
        var (inUseBytes, freeBytes) = (Volatile.Read(ref _largeBytesInUse), Volatile.Read(ref _stackBytes));
        for (var sizeClass = 0; sizeClass < _stacks.Length; sizeClass++)
        {
            var stack = _stacks[sizeClass].Read();
            var threads = sizeClass < BufferSizes.BlockClasses ? _threads.Read(sizeClass) : default;
            var lent = Math.Max(0, stack.Rented + threads.Taken - stack.Returned - threads.Put);
            rented += stack.Rented + threads.Taken;
            allocated += stack.Allocated;
            free += stack.Free + threads.Free;
            inUse += lent;
            inUseBytes += lent * _stacks[sizeClass].Bytes;
            freeBytes += (long)threads.Free * _stacks[sizeClass].Bytes;
        }

        return new BufferPoolStatistics(
            rented + large,
            Math.Max(0, rented - inUse) + largeReturned,
            allocated + large,
            Math.Max(0, allocated - inUse - free) + largeReturned,
            inUseBytes,
            freeBytes);
    }

    /// <summary>Rents one buffer, whose length is not negative.</summary>
    public PooledMemory RentMemory(int bytes, string? tag)
    {
        var owner = new PooledMemory(this, RentBuffer(bytes), bytes);
        owner.Rental = Track(owner, tag);
        return owner;
    }

    /// <summary>Remembers a rental, if the pool tracks them.</summary>
    public BufferRental? Track(object owner, string? tag)
    {
        if (_log is null)
        {
            return null;
        }

        var rental = _log.Add(owner, tag);
        _upkeep.Ensure();
        return rental;
    }

    /// <summary>Forgets a rental.</summary>
    public void Untrack(BufferRental? rental)
    {
        if (rental is not null)
        {
            _log!.Remove(rental);
        }
    }

    /// <summary>Drops the buffers that lay here unused since the last time: of each size those that stayed at the bottom. Buffers that came back since then are kept.</summary>
    public void LookAfter()
    {
        _upkeep.Done();
        // Threads keep blocks by plain stores. Each block is seen from here on, or its thread sees that no check is due and asks for one.
        Interlocked.MemoryBarrierProcessWide();
        ReportLeaks();
        foreach (var stack in _stacks)
        {
            Forget(stack.DropUnneeded(), stack);
        }

        _threads.DropUnneeded();
        if (GetStatistics().FreeBytes != 0 || _log is { IsEmpty: false })
        {
            _upkeep.Ensure();
        }
    }

    // Their blocks are part of the free bytes: of as many threads as fit into half of the limit.
    private int CountThreads(long maxFreeBytes) =>
        (int)Math.Min(maxFreeBytes / 2 / BlockBytesPerThread, Math.Max(LeastThreads, ThreadsPerProcessor * Environment.ProcessorCount));

    private void Forget(int buffers, FreeStack stack) => Interlocked.Add(ref _stackBytes, -(long)buffers * stack.Bytes);
}
