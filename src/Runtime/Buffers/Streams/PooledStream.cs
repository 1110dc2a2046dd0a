using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages;

/// <summary>
/// A memory stream over buffers of a <see cref="BufferPool"/>. Unlike <see cref="MemoryStream"/>, it does not copy when it grows, makes no garbage, and may
/// exceed 2 GB. It is also a buffer writer. Returned by <see cref="BufferPool.GetStream(string?)"/>; <see cref="Stream.Dispose()"/> returns its memory.
/// </summary>
/// <remarks>
/// For one thread at a time. <c>Dispose</c> may be called more than once, and from any thread as long as no other call runs. After it, every member except <see cref="Flush"/>
/// and the <c>Can</c> properties throws <see cref="ObjectDisposedException"/>, and so do memory and sequences that the stream returned; <see cref="Stream.BeginRead"/> and
/// <see cref="Stream.BeginWrite"/> throw <see cref="NotSupportedException"/>, as those of a memory stream do. Spans and arrays that it returned must no longer be used; such a
/// use is detected only by <see cref="BufferPoolOptions.PoisonOnReturn"/>.
/// </remarks>
public sealed partial class PooledStream : Stream, IBufferWriter<byte>
{
    private StreamBlocks _blocks;
    private BufferStore? _pool;
    private StreamExtras? _extras;

    // The offset of the current block's bytes in its array: below 64.
    private byte _offset;

    // The next change needs a check: a message of this version was given, or the position was moved past the end, or the stream is disposed.
    private bool _isGuarded;

    // The offered bytes of GetSpan and GetMemory that Advance has not taken; -1 if disposed, so that every advance is refused.
    private int _offered;

    private long _position;

    // -1 if disposed, so that the fast ways of reading need no further check.
    private long _length;

    internal PooledStream(BufferStore pool, string? tag)
    {
        _pool = pool;
        var rental = pool.Track(this, tag);
        if (tag is not null || rental is not null)
        {
            _extras = new StreamExtras { Tag = tag, Rental = rental };
        }
    }

    /// <summary>Gets whether the stream is open: true until it is disposed.</summary>
    public override bool CanRead => _pool is not null;

    /// <inheritdoc cref="CanRead"/>
    public override bool CanSeek => _pool is not null;

    /// <inheritdoc cref="CanRead"/>
    public override bool CanWrite => _pool is not null;

    /// <inheritdoc/>
    public override long Length
    {
        get
        {
            Open();
            return _length;
        }
    }

    /// <summary>Gets or sets the position of the next byte to read or write. It can be after the end: writing there fills the gap with zeros.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override long Position
    {
        get
        {
            Open();
            return _position;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            Open();
            MoveTo(value);
        }
    }

    /// <summary>
    /// Gets or sets the number of bytes that the stream has room for. A larger value rents the rest in one piece, or in as few as possible; a smaller one returns
    /// unneeded blocks.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below <see cref="Length"/>.</exception>
    /// <exception cref="IOException">The length would be above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public long Capacity
    {
        get
        {
            Open();
            return _blocks.Capacity;
        }

        set
        {
            var pool = Open();
            ArgumentOutOfRangeException.ThrowIfLessThan(value, _length);
            CheckEnd(pool, value, 0);
            _offered = 0;
            while (_blocks.Count > 0 && _blocks.Last.Start >= value)
            {
                ReleaseLast(pool);
            }

            while (_blocks.Capacity < value)
            {
                AppendBlock(pool, (int)Math.Min(value - _blocks.Capacity, MaxBlockBytes));
            }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The position would be before the beginning, or above 2^63-1.</exception>
    public override long Seek(long offset, SeekOrigin origin)
    {
        Open();
        var from = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => _length,
            _ => throw new ArgumentException("The origin must be Begin, Current or End.", nameof(origin)),
        };
        if (offset < -from || offset > long.MaxValue - from)
        {
            throw new IOException($"Seeking by {offset} from {from} would leave the stream: a position must be from 0 to {long.MaxValue}.");
        }

        MoveTo(from + offset);
        return _position;
    }

    /// <summary>Truncates the stream, or extends it with zeros. A truncated part keeps its memory, as in a memory stream; see <see cref="Capacity"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="IOException">The length would be above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
    public override void SetLength(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        var pool = Open();
        CheckEnd(pool, value, 0);
        _offered = 0;
        NoteChange();
        if (value > _length)
        {
            Extend(pool, value);
        }
        else
        {
            RememberUsed(pool, value);
            _length = value;
        }

        _position = Math.Min(_position, value);
    }

    /// <summary>Does nothing, since written bytes need no flush.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc cref="Flush"/>
    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    /// <summary>Disposes the stream as <see cref="Stream.Dispose()"/> does.</summary>
    public override void Close() => Dispose(disposing: true);

    /// <summary>The purpose of the stream, as given by its creator.</summary>
    internal string? Tag => _extras?.Tag;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _pool, null) is { } pool)
        {
            // The version ends before another owner can have the memory: a handler of the pool's events may throw.
            NoteChange();
            try
            {
                ReleaseAll(pool);
            }
            finally
            {
                pool.Untrack(_extras?.Rental);
                (_position, _length, _offered, _isGuarded) = (0, -1, -1, true);
            }
        }

        base.Dispose(disposing);
    }

    private void MoveTo(long position)
    {
        _offered = 0;
        _position = position;
        _isGuarded |= position > _length;
    }

    private BufferStore Open()
    {
        if (_pool is { } pool)
        {
            return pool;
        }

        ThrowDisposed();
        return null;
    }

    [DoesNotReturn]
    private static void ThrowDisposed() =>
        throw new ObjectDisposedException(nameof(PooledStream), "The pooled stream was disposed; its memory may be in use by another owner.");

    private static void CheckEnd(BufferStore pool, long position, int bytes)
    {
        if (position > pool.MaxStreamBytes - bytes)
        {
            ThrowTooLong(pool);
        }
    }

    [DoesNotReturn]
    private static void ThrowTooLong(BufferStore pool) =>
        throw new IOException($"The stream would have more than {pool.MaxStreamBytes} bytes, which is MaxStreamBytes of its pool.");
}
