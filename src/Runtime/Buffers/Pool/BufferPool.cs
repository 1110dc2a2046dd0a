using System.Buffers;
using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// A pool of memory for streams, and for owners of one buffer. Returned buffers are kept for the next rental, up to limits that are finite by default.
/// Safe for all threads; make one and keep it, or use <see cref="Shared"/>. It needs no disposing: an unused pool is collected with its buffers.
/// </summary>
/// <remarks>
/// Buffers come back only when their stream or owner is disposed. The buffers of an owner that is never disposed are left to the garbage collector with
/// it, not recycled, since a part of them may still be in use.
/// </remarks>
public sealed partial class BufferPool
{
    private static int _poolsMade;

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

    /// <summary>Makes a pool.</summary>
    /// <param name="options">The options; null takes the defaults.</param>
    /// <exception cref="ArgumentException">An option is out of range, or two contradict each other; the message says which.</exception>
    public BufferPool(BufferPoolOptions? options = null)
    {
        options ??= new BufferPoolOptions();
        options.Validate();
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
        _overwritesOnReturn = options.ClearOnReturn || options.PoisonOnReturn;
        ClearsOnReturn = options.ClearOnReturn;
        MaxStreamBytes = options.MaxStreamBytes;
        _log = options.TrackRentals ? new RentalLog(options.TimeProvider) : null;
        _upkeep = new PoolUpkeep(this, options);
        BufferPoolMetrics.Add(this);
    }

    /// <summary>Gets the pool with default options, for <see cref="BufferedMessage.Load{TView}(Stream, BufferPool?)"/> without a pool, and for writing to streams and files.</summary>
    public static BufferPool Shared { get; } = new(new BufferPoolOptions { Name = "shared" });

    /// <summary>Raised for each returned buffer that is not kept. On the returning thread, which waits for it: be short, and do not throw.</summary>
    public event EventHandler<BufferDroppedEventArgs>? BufferDropped;

    /// <summary>
    /// Raised for each stream and owner that was collected without being disposed, when the pool has <see cref="BufferPoolOptions.TrackRentals"/>.
    /// On a timer's thread, or in <see cref="ReportLeaks"/>; do not throw.
    /// </summary>
    public event EventHandler<BufferLeakEventArgs>? LeakFound;

    /// <summary>Gets the name of the pool in metrics.</summary>
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

    /// <summary>Gives an empty stream that can be written, read and sought. It rents nothing until it is written to.</summary>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    public PooledStream GetStream(string? tag = null) => new(this, tag);

    /// <summary>Gives an empty stream with room for a known size, in one piece: it stays contiguous up to that size.</summary>
    /// <param name="capacity">Bytes of room; above 1 GB the room is in several pieces.</param>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    /// <exception cref="IOException">Above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public PooledStream GetStream(long capacity, string? tag = null)
    {
        var stream = new PooledStream(this, tag);
        try
        {
            stream.Capacity = capacity;
            return stream;
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    /// <summary>Gives a stream with a copy of bytes, in one piece, at position 0.</summary>
    /// <param name="content">The bytes to copy.</param>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    public PooledStream GetStream(ReadOnlySpan<byte> content, string? tag = null)
    {
        var stream = GetStream(content.Length, tag);
        stream.Write(content);
        stream.Position = 0;
        return stream;
    }

    /// <summary>Rents one buffer. Its bytes are arbitrary at first.</summary>
    /// <param name="bytes">The exact length of the memory.</param>
    /// <param name="tag">The purpose of the buffer, for leak reports.</param>
    /// <returns>The owner; <see cref="IDisposable.Dispose"/> returns the buffer, also more than once. Its memory throws <see cref="ObjectDisposedException"/> from then on.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public IMemoryOwner<byte> Rent(int bytes, string? tag = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return RentMemory(bytes, tag);
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

    /// <summary>Gives the current rentals if the pool has <see cref="BufferPoolOptions.TrackRentals"/>, otherwise none. Leaks are among them until they are reported.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => _log?.ToArray() ?? [];

    /// <summary>Raises <see cref="LeakFound"/> for owners collected without being disposed. A timer does so too, with the time of <see cref="BufferPoolOptions.TrimAfter"/>.</summary>
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
            LeakFound?.Invoke(this, new BufferLeakEventArgs(rental));
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
    internal PooledMemory RentMemory(int bytes, string? tag)
    {
        var owner = new PooledMemory(this, RentBuffer(bytes), bytes);
        owner.Rental = Track(owner, tag);
        return owner;
    }

    /// <summary>Remembers a rental, if the pool tracks them.</summary>
    internal BufferRental? Track(object owner, string? tag)
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
    internal void Untrack(BufferRental? rental)
    {
        if (rental is not null)
        {
            _log!.Remove(rental);
        }
    }

    /// <summary>Drops the buffers that were not needed since the last time: of each size those that stayed at the bottom, and all if nothing was rented.</summary>
    internal void LookAfter()
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
