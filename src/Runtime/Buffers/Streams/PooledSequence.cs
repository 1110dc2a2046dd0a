using System.Buffers;
using System.Runtime.ExceptionServices;

namespace BufferedMessages;

/// <summary>The owner of the former content of a <see cref="PooledStream"/>. <see cref="Dispose"/> returns its buffers; after that, the sequence throws. Reading is thread-safe.</summary>
public sealed class PooledSequence : IDisposable
{
    private readonly BufferStore _pool;
    private readonly PooledMemory[] _parts;
    private readonly BufferRental? _rental;
    private readonly ReadOnlySequence<byte> _sequence;
    private int _isDisposed;

    internal PooledSequence(BufferStore pool, PooledMemory[] parts, string? tag)
    {
        _pool = pool;
        _parts = parts;
        _rental = pool.Track(this, tag);
        _sequence = SequenceOf(parts);
    }

    /// <summary>Gets the content; valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    public ReadOnlySequence<byte> Sequence
    {
        get
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
            return _sequence;
        }
    }

    /// <summary>Returns the buffers to their pool. May be called more than once.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        // Each buffer is returned, even if a handler of the pool's events throws; the first exception is thrown at the end.
        _pool.Untrack(_rental);
        ExceptionDispatchInfo? failure = null;
        foreach (IDisposable part in _parts)
        {
            try
            {
                part.Dispose();
            }
            catch (Exception exception)
            {
                failure ??= ExceptionDispatchInfo.Capture(exception);
            }
        }

        failure?.Throw();
    }

    private static ReadOnlySequence<byte> SequenceOf(PooledMemory[] parts)
    {
        switch (parts)
        {
            case []:
                return ReadOnlySequence<byte>.Empty;
            case [var only]:
                return new ReadOnlySequence<byte>(only.Memory);
            default:
                var first = new PooledSegment(parts[0].Memory);
                var last = parts.Skip(1).Aggregate(first, (segment, part) => segment.Append(part.Memory));
                return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
        }
    }
}
