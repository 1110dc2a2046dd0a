using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// The buffers of a pool, and the record of those that streams and owners hold. A rental keeps it, and the pool with it.
/// Safe for all threads.
/// </summary>
internal sealed partial class BufferStore
{
    private static int _poolsMade;

    private readonly Action<int, BufferDropReason> _dropped;
    private readonly Action<BufferRental> _leaked;
    private readonly BufferSizes _sizes;
    private readonly FreeStack[] _stacks;
    private readonly ProcessorSlots[] _processors;
    private readonly PoolUpkeep _upkeep;
    private readonly RentalLog? _log;
    private readonly long _maxStackBytes;
    private long _stackBytes;
    private long _largeRented;
    private long _largeReturned;
    private long _largeBytesInUse;
    private long _rentedWhenLookedAfter;

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

        _processors = new ProcessorSlots[CountProcessorSlots(options.MaxFreeBytes)];
        _maxStackBytes = options.MaxFreeBytes - (_processors.Length * BlockBytesPerProcessor);
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

    private long BlockBytesPerProcessor
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

        foreach (ref var processor in _processors.AsSpan())
        {
            for (var sizeClass = 0; sizeClass < BufferSizes.BlockClasses; sizeClass++)
            {
                if (processor.Drop(sizeClass))
                {
                    _stacks[sizeClass].CountDropped();
                }
            }
        }
    }

    /// <summary>Gives the current rentals.</summary>
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
        var largeReturned = Volatile.Read(ref _largeReturned);
        var (rented, inUse, allocated, dropped) = (0L, 0L, Volatile.Read(ref _largeRented), largeReturned);
        // Counted when room is taken, so that a reading during concurrent returns is not above the limit either.
        var (bytesInUse, bytesFree) = (Volatile.Read(ref _largeBytesInUse), Volatile.Read(ref _stackBytes));
        for (var sizeClass = 0; sizeClass < _stacks.Length; sizeClass++)
        {
            var counts = _stacks[sizeClass].Read();
            var inSlots = CountInSlots(sizeClass);
            var lent = Math.Max(0, counts.Allocated - counts.Dropped - counts.Free - inSlots);
            rented += counts.Rented;
            allocated += counts.Allocated;
            dropped += counts.Dropped;
            inUse += lent;
            bytesInUse += lent * _stacks[sizeClass].Bytes;
            bytesFree += (long)inSlots * _stacks[sizeClass].Bytes;
        }

        rented += RentedFromSlots();
        return new BufferPoolStatistics(
            rented + Volatile.Read(ref _largeRented), Math.Max(0, rented - inUse) + largeReturned, allocated, dropped, bytesInUse, bytesFree);
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

    /// <summary>Drops the buffers that were not needed since the last time: of each size those that stayed at the bottom, and all if nothing was rented.</summary>
    public void LookAfter()
    {
        _upkeep.Done();
        ReportLeaks();
        var rented = GetStatistics().Rented;
        if (rented != _rentedWhenLookedAfter)
        {
            _rentedWhenLookedAfter = rented;
            foreach (var stack in _stacks)
            {
                Forget(stack.DropUnneeded(), stack);
            }

            _upkeep.Ensure();
            return;
        }

        // Every lock is taken after Done, so a later return sees that the next check is not due yet, and asks for it.
        Trim();
        if (_log is { IsEmpty: false })
        {
            _upkeep.Ensure();
        }
    }

    // Slots are part of the free bytes: as many as fit into half of the limit, and none if not even one fits.
    private int CountProcessorSlots(long maxFreeBytes)
    {
        var wanted = System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount);
        var room = (uint)Math.Min(maxFreeBytes / 2 / BlockBytesPerProcessor, wanted);
        return room == 0 ? 0 : 1 << System.Numerics.BitOperations.Log2(room);
    }

    private int CountInSlots(int sizeClass)
    {
        var count = 0;
        if (sizeClass < BufferSizes.BlockClasses)
        {
            foreach (ref var processor in _processors.AsSpan())
            {
                count += processor.Has(sizeClass) ? 1 : 0;
            }
        }

        return count;
    }

    private long RentedFromSlots()
    {
        var rented = 0L;
        foreach (ref var processor in _processors.AsSpan())
        {
            rented += processor.Rented;
        }

        return rented;
    }

    private void Forget(int buffers, FreeStack stack) => Interlocked.Add(ref _stackBytes, -(long)buffers * stack.Bytes);
}
