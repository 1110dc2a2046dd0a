using System.Buffers;

namespace BufferedMessages;

/// <summary>
/// A pool of memory for streams, and for owners of one buffer. Returned buffers are kept for the next rental, up to limits that are finite by default.
/// Safe for all threads; make one and keep it, or use <see cref="Shared"/>. It needs no disposing: an unused pool is collected with its buffers.
/// </summary>
/// <remarks>
/// Buffers come back only when their stream or owner is disposed. The buffers of an owner that is never disposed are left to the garbage collector with
/// it, not recycled, since a part of them may still be in use.
/// </remarks>
public sealed class BufferPool
{
    /// <summary>Makes a pool.</summary>
    /// <param name="options">The options; null takes the defaults.</param>
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
    /// Occurs for each returned buffer that is not kept. On the thread that returns it, or on the one that rents it and finds <see cref="BufferDropReason.ChangedAfterReturn"/>. The thread
    /// waits for it: be short, and do not throw.
    /// </summary>
    public event EventHandler<BufferDroppedEventArgs>? BufferDropped;

    /// <summary>
    /// Occurs for each stream and owner that was collected without being disposed, when the pool has <see cref="BufferPoolOptions.TrackRentals"/>.
    /// On a timer's thread, or in <see cref="ReportLeaks"/>; do not throw.
    /// </summary>
    public event EventHandler<BufferLeakEventArgs>? LeakFound;

    /// <summary>Gets the name of the pool in metrics.</summary>
    public string Name => Store.Name;

    /// <summary>The buffers of the pool.</summary>
    internal BufferStore Store { get; }

    /// <summary>Gives an empty stream that can be written, read and sought. It rents nothing until it is written to.</summary>
    /// <param name="tag">The purpose of the stream, for leak reports.</param>
    public PooledStream GetStream(string? tag = null) => new(Store, tag);

    /// <summary>Gives an empty stream with room for a known size, in one piece: it stays contiguous up to that size.</summary>
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

    /// <summary>Gives a stream with a copy of bytes, in one piece, at position 0.</summary>
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

    /// <summary>Rents one buffer. Its bytes are arbitrary at first.</summary>
    /// <param name="bytes">The exact length of the memory.</param>
    /// <param name="tag">The purpose of the buffer, for leak reports.</param>
    /// <returns>The owner; <see cref="IDisposable.Dispose"/> returns the buffer, also more than once. Its memory throws <see cref="ObjectDisposedException"/> from then on.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, or more than an array can have.</exception>
    public IMemoryOwner<byte> Rent(int bytes, string? tag = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return Store.RentMemory(bytes, tag);
    }

    /// <summary>Drops all free buffers. Rented buffers are not touched, and are kept when they come back.</summary>
    public void Trim() => Store.Trim();

    /// <summary>Gives the current rentals if the pool has <see cref="BufferPoolOptions.TrackRentals"/>, otherwise none. Leaks are among them until they are reported.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => Store.GetRentals();

    /// <summary>Raises <see cref="LeakFound"/> for owners collected without being disposed. A timer does so too, with the time of <see cref="BufferPoolOptions.TrimAfter"/>.</summary>
    /// <returns>The number of leaks.</returns>
    public int ReportLeaks() => Store.ReportLeaks();

    /// <summary>Reads the counts of the pool.</summary>
    public BufferPoolStatistics GetStatistics() => Store.GetStatistics();
}
