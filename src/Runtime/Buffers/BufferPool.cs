using System.Buffers;

namespace BufferedMessages;

/// <summary>
/// A pool of memory for streams and for owners of single buffers. Returned buffers are kept for the next rental, up to limits that are finite by default.
/// Thread-safe; create one and keep it, or use <see cref="Shared"/>. A pool need not be disposed: an unused one is collected with its buffers.
/// </summary>
/// <remarks>
/// Buffers return to the pool only when their stream or owner is disposed. If an owner is never disposed, the garbage collector collects its buffers with
/// it. They are not recycled, since a part of them may still be in use.
/// </remarks>
public sealed class BufferPool
{
    /// <summary>Creates a pool.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">An option is out of range, or two contradict each other; the message says which.</exception>
    public BufferPool(BufferPoolOptions? options = null)
    {
        options ??= new BufferPoolOptions();
        options.Validate();
        Store = new BufferStore(
            options,
            (bytes, reason) => BufferDropped?.Invoke(this, new BufferDroppedEventArgs(bytes, reason)),
            rental => LeakFound?.Invoke(this, new BufferLeakEventArgs(rental)));
    }

    /// <summary>Gets the pool with default options, for <see cref="BufferedMessage.Load{TView}(Stream, BufferPool?)"/> without a pool, and for writing to streams and files.</summary>
    public static BufferPool Shared { get; } = new(new BufferPoolOptions { Name = "shared" });

    /// <summary>
    /// Occurs for each returned buffer that is not kept. It is raised on the thread that returns the buffer, or on the one that rents it and finds <see cref="BufferDropReason.ChangedAfterReturn"/>.
    /// That thread waits for the handler, which should be short and must not throw.
    /// </summary>
    public event EventHandler<BufferDroppedEventArgs>? BufferDropped;

    /// <summary>
    /// Occurs for each stream and owner that was collected without being disposed, when the pool has <see cref="BufferPoolOptions.TrackRentals"/>.
    /// It is raised on a timer's thread, or in <see cref="ReportLeaks"/>. The handler must not throw.
    /// </summary>
    public event EventHandler<BufferLeakEventArgs>? LeakFound;

    /// <summary>Gets the name of the pool in metrics.</summary>
    public string Name => Store.Name;

    /// <summary>The buffers of the pool.</summary>
    internal BufferStore Store { get; }

    /// <summary>Returns an empty stream for writing, reading and seeking. It rents nothing until it is written to.</summary>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    public PooledStream GetStream(string? tag = null) => new(Store, tag);

    /// <summary>Returns an empty stream with room for a known size. It stays contiguous up to that size.</summary>
    /// <param name="capacity">Bytes of room; above 2 GB the room is in several pieces.</param>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="IOException">The length would be above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public PooledStream GetStream(long capacity, string? tag = null)
    {
        var stream = new PooledStream(Store, tag);
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

    /// <summary>Returns a stream with a contiguous copy of the bytes, at position 0.</summary>
    /// <param name="content">The bytes to copy.</param>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    /// <exception cref="IOException">The length would be above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public PooledStream GetStream(ReadOnlySpan<byte> content, string? tag = null)
    {
        var stream = GetStream(content.Length, tag);
        stream.Write(content);
        stream.Position = 0;
        return stream;
    }

    /// <summary>Rents one buffer. Its initial bytes are arbitrary.</summary>
    /// <param name="bytes">The exact length of the memory.</param>
    /// <param name="tag">The purpose of the buffer, for leak reports.</param>
    /// <returns>The owner; <see cref="IDisposable.Dispose"/> returns the buffer, and may be called more than once. After that, its memory throws <see cref="ObjectDisposedException"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than an array can have.</exception>
    public IMemoryOwner<byte> Rent(int bytes, string? tag = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return Store.RentMemory(bytes, tag);
    }

    /// <summary>Drops all free buffers. Rented buffers are not affected, and are kept when they are returned.</summary>
    public void Trim() => Store.Trim();

    /// <summary>Returns the current rentals if the pool has <see cref="BufferPoolOptions.TrackRentals"/>, otherwise none. They include leaks that have not been reported yet.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => Store.GetRentals();

    /// <summary>Raises <see cref="LeakFound"/> for owners that were collected without being disposed. A timer does so too, at the interval of <see cref="BufferPoolOptions.TrimAfter"/>.</summary>
    /// <returns>The number of leaks.</returns>
    public int ReportLeaks() => Store.ReportLeaks();

    /// <summary>Reads the counts of the pool.</summary>
    public BufferPoolStatistics GetStatistics() => Store.GetStatistics();
}
