using System.Buffers;
using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// Lends memory: streams, and owners of one buffer. What they return is kept for the next, up to limits that are finite by default.
/// Safe for all threads; make one and keep it, or use <see cref="Shared"/>. It needs no disposing: a pool that is not used any more is collected with its buffers.
/// </summary>
/// <remarks>
/// Buffers come back only when their stream or owner is disposed. What is never disposed is left to the garbage collector with its buffers,
/// not recycled: somebody may still hold a part of it.
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
    /// <param name="options">How it works; null takes the defaults.</param>
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

    /// <summary>The pool with default options: <see cref="BufferedMessage.Load{TView}(Stream, BufferPool?)"/> takes it when no other is given, and writing messages to streams and files buffers them in it.</summary>
    public static BufferPool Shared { get; } = new(new BufferPoolOptions { Name = "shared" });

    /// <summary>Raised for each returned buffer that is not kept. On the returning thread, which waits for it: be short, and do not throw.</summary>
    public event EventHandler<BufferDroppedEventArgs>? BufferDropped;

    /// <summary>
    /// Raised for each stream and owner that was collected without being disposed, when the pool has <see cref="BufferPoolOptions.TrackRentals"/>.
    /// On a timer's thread, or in <see cref="ReportLeaks"/>; do not throw.
    /// </summary>
    public event EventHandler<BufferLeakEventArgs>? LeakFound;

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

    /// <summary>Gives an empty stream that can be written, read and sought. It rents nothing until it is written to.</summary>
    /// <param name="tag">Says in leak reports what the stream is for.</param>
    public PooledStream GetStream(string? tag = null) => new(this, tag);

    /// <summary>Gives an empty stream with room for a known size, in one piece: it stays contiguous up to that size.</summary>
    /// <param name="capacity">Bytes of room; above 1 GB the room is in several pieces.</param>
    /// <param name="tag">Says in leak reports what the stream is for.</param>
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
    /// <param name="content">What to copy.</param>
    /// <param name="tag">Says in leak reports what the stream is for.</param>
    public PooledStream GetStream(ReadOnlySpan<byte> content, string? tag = null)
    {
        var stream = GetStream(content.Length, tag);
        stream.Write(content);
        stream.Position = 0;
        return stream;
    }

    /// <summary>Rents one buffer. Its bytes are arbitrary at first.</summary>
    /// <param name="bytes">The exact length of the memory.</param>
    /// <param name="tag">Says in leak reports what the buffer is for.</param>
    /// <returns>The owner; <see cref="IDisposable.Dispose"/> returns the buffer, also more than once. Its memory throws <see cref="ObjectDisposedException"/> from then on.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public IMemoryOwner<byte> Rent(int bytes, string? tag = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return RentMemory(bytes, tag);
    }

    /// <summary>Drops all free buffers. What is rented is not touched, and kept when it comes back.</summary>
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

    /// <summary>Gives what is rented now, if the pool has <see cref="BufferPoolOptions.TrackRentals"/>; else nothing. Leaks are among it until they are reported.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => _log?.ToArray() ?? [];

    /// <summary>Raises <see cref="LeakFound"/> for what was collected without being disposed. A timer does the same, with the time of <see cref="BufferPoolOptions.TrimAfter"/>.</summary>
    /// <returns>How many leaks were found.</returns>
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

    /// <summary>Counts what the pool did and holds.</summary>
    public BufferPoolStatistics GetStatistics()
    {
        var largeReturned = Volatile.Read(ref _largeReturned);
        var (rented, inUse, allocated, dropped) = (0L, 0L, Volatile.Read(ref _largeRented), largeReturned);
        // Counted when room is taken, so that what is read while others return is not above the limit either.
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

    /// <summary>Remembers a rental, if the pool does that.</summary>
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

    /// <summary>Ends that.</summary>
    internal void Untrack(BufferRental? rental)
    {
        if (rental is not null)
        {
            _log!.Remove(rental);
        }
    }

    /// <summary>Drops what was not needed since the last time: of each size what lay at the bottom, and everything if nothing was rented at all.</summary>
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

        // Every lock is taken after Done, so what comes back later sees that the next look is not due yet, and asks for it.
        Trim();
        if (_log is { IsEmpty: false })
        {
            _upkeep.Ensure();
        }
    }

    // Slots are part of the free bytes: there are as many as half of the limit has room for, and none if that is not one.
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
