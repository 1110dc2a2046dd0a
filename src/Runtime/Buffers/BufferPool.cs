using System.Buffers;

namespace BufferedMessages;

/// <summary>
/// Lends memory: streams, and owners of one buffer. What they return is kept for the next, up to limits that are finite by default.
/// Safe for all threads; make one and keep it, or use <see cref="Shared"/>. It needs no disposing: a pool that is not used any more is collected with its buffers.
/// </summary>
/// <remarks>
/// Buffers come back only when their stream or owner is disposed. What is never disposed is left to the garbage collector with its buffers,
/// not recycled: somebody may still hold a part of it.
/// </remarks>
public sealed class BufferPool
{
    /// <summary>Makes a pool.</summary>
    /// <param name="options">How it works; null takes the defaults.</param>
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
    public string Name => Store.Name;

    /// <summary>The buffers of the pool.</summary>
    internal BufferStore Store { get; }

    /// <summary>Gives an empty stream that can be written, read and sought. It rents nothing until it is written to.</summary>
    /// <param name="tag">Says in leak reports what the stream is for.</param>
    public PooledStream GetStream(string? tag = null) => new(Store, tag);

    /// <summary>Gives an empty stream with room for a known size, in one piece: it stays contiguous up to that size.</summary>
    /// <param name="capacity">Bytes of room; above 1 GB the room is in several pieces.</param>
    /// <param name="tag">Says in leak reports what the stream is for.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    /// <exception cref="IOException">Above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
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
        return Store.RentMemory(bytes, tag);
    }

    /// <summary>Drops all free buffers. What is rented is not touched, and kept when it comes back.</summary>
    public void Trim() => Store.Trim();

    /// <summary>Gives what is rented now, if the pool has <see cref="BufferPoolOptions.TrackRentals"/>; else nothing. Leaks are among it until they are reported.</summary>
    public IReadOnlyList<BufferRental> GetRentals() => Store.GetRentals();

    /// <summary>Raises <see cref="LeakFound"/> for what was collected without being disposed. A timer does the same, with the time of <see cref="BufferPoolOptions.TrimAfter"/>.</summary>
    /// <returns>How many leaks were found.</returns>
    public int ReportLeaks() => Store.ReportLeaks();

    /// <summary>Counts what the pool did and holds.</summary>
    public BufferPoolStatistics GetStatistics() => Store.GetStatistics();
}
