using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages;

/// <summary>
/// A stream in memory of a <see cref="BufferPool"/>: what <see cref="MemoryStream"/> is, without copying when it grows, without garbage, and
/// beyond 2 GB. It is a buffer writer too. Made by <see cref="BufferPool.GetStream(string?)"/>; <see cref="Stream.Dispose()"/> returns its memory.
/// </summary>
/// <remarks>
/// For one thread at a time; <c>Dispose</c> may be called more than once, and from any thread as long as no other call runs. After it every member throws
/// <see cref="ObjectDisposedException"/>, and so do memory and sequences that the stream gave. Spans and arrays that it gave must not be used any more:
/// nobody can see that, except <see cref="BufferPoolOptions.PoisonOnReturn"/>.
/// </remarks>
public sealed partial class PooledStream : Stream, IBufferWriter<byte>
{
    private StreamBlocks _blocks;
    private BufferStore? _pool;
    private StreamExtras? _extras;

    // Where the bytes of the current block begin in its array: below 64.
    private byte _offset;

    // The next change is not a plain one: a message of this version was given, or the position was moved past the end, or the stream is disposed.
    private bool _isGuarded;

    // What GetSpan and GetMemory gave and Advance has not taken; -1 when disposed, so that nothing passes.
    private int _offered;

    private long _position;

    // -1 when disposed: the short ways of reading see that without asking.
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

    /// <summary>True until the stream is disposed.</summary>
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

    /// <summary>Where the next byte is read or written, also behind the end: writing there fills the gap with zeros.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
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
    /// Bytes the stream has room for. Set above what there is, it rents the rest as one piece, or as few as possible; set below, it returns
    /// blocks that are not needed for it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Below <see cref="Length"/>.</exception>
    /// <exception cref="IOException">Above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
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
            _ => throw new ArgumentException("The origin is Begin, Current or End.", nameof(origin)),
        };
        if (offset < -from || offset > long.MaxValue - from)
        {
            throw new IOException($"Seek by {offset} from {from} leaves the stream: a position is from 0 to {long.MaxValue}.");
        }

        MoveTo(from + offset);
        return _position;
    }

    /// <summary>Cuts the stream, or makes it longer by zeros. What is cut keeps its memory, as in a memory stream; see <see cref="Capacity"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    /// <exception cref="IOException">Above <see cref="BufferPoolOptions.MaxStreamBytes"/>.</exception>
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

    /// <summary>Does nothing: what is written is there.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc cref="Flush"/>
    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    /// <summary>Does what <see cref="Stream.Dispose()"/> does.</summary>
    public override void Close() => Dispose(disposing: true);

    /// <summary>The purpose of the stream, as its maker said it.</summary>
    internal string? Tag => _extras?.Tag;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _pool, null) is { } pool)
        {
            ReleaseAll(pool);
            NoteChange();
            pool.Untrack(_extras?.Rental);
            (_position, _length, _offered, _isGuarded) = (0, -1, -1, true);
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
        throw new ObjectDisposedException(nameof(PooledStream), "The pooled stream was disposed; its memory may belong to another by now.");

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
