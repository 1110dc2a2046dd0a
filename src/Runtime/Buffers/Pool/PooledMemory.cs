using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>
/// Memory over a buffer of a pool, which can be revoked: using it then throws. As an owner, it returns the buffer when it is disposed; memory of a
/// stream's own blocks is revoked by the stream. Thread-safe, except for spans that were taken before.
/// </summary>
internal sealed class PooledMemory : MemoryManager<byte>
{
    private const int Revoked = int.MinValue;

    private readonly BufferStore _pool;
    private readonly byte[] _buffer;
    private readonly int _offset;
    private readonly int _length;
    private readonly Ownership _ownership;

    // Bit 31 says that it is revoked, the others count the handles that pin it.
    private int _state;

    /// <summary>Creates an owner of a buffer.</summary>
    public PooledMemory(BufferStore pool, byte[] buffer, int length, Ownership ownership = Ownership.Owner)
    {
        _pool = pool;
        _buffer = buffer;
        _offset = pool.OffsetOf(buffer);
        _length = length;
        _ownership = ownership;
    }

    /// <summary>Whether disposing returns the buffer.</summary>
    public enum Ownership
    {
        /// <summary>Disposing returns the buffer.</summary>
        Owner,

        /// <summary>Disposing drops the buffer, because native code may still write to it.</summary>
        OwnerOfPinned,

        /// <summary>Disposing does not affect the buffer, which belongs to a stream.</summary>
        None,
    }

    /// <summary>The pool's record of the rental.</summary>
    public BufferRental? Rental { get; set; }

    public override Span<byte> GetSpan()
    {
        ThrowIfRevoked();
        return new Span<byte>(_buffer, _offset, _length);
    }

    // SAFETY: The handle pins the array before its address is taken, and the index is checked.
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)_length, nameof(elementIndex));
        CountPin();
        var handle = GCHandle.Alloc(_buffer, GCHandleType.Pinned);
        return new MemoryHandle((byte*)handle.AddrOfPinnedObject() + _offset + elementIndex, handle, this);
    }

    // MemoryHandle frees the GCHandle itself.
    public override void Unpin() => Interlocked.Decrement(ref _state);

    /// <summary>Makes every further use throw.</summary>
    /// <param name="isPinned">Whether a handle still pins the buffer.</param>
    /// <returns>Whether this call did it.</returns>
    public bool TryRevoke(out bool isPinned)
    {
        var before = Interlocked.Or(ref _state, Revoked);
        isPinned = (before & ~Revoked) != 0;
        return before >= 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfRevoked()
    {
        if (Volatile.Read(ref _state) < 0)
        {
            ThrowRevoked();
        }
    }

    protected override bool TryGetArray(out ArraySegment<byte> segment)
    {
        ThrowIfRevoked();
        segment = new ArraySegment<byte>(_buffer, _offset, _length);
        return true;
    }

    protected override void Dispose(bool disposing)
    {
        if (_ownership == Ownership.None || !TryRevoke(out var isPinned))
        {
            return;
        }

        _pool.Untrack(Rental);
        if (isPinned || _ownership == Ownership.OwnerOfPinned)
        {
            _pool.DropBuffer(_buffer, BufferDropReason.StillPinned);
        }
        else
        {
            _pool.ReturnBuffer(_buffer, _pool.CapacityOf(_buffer));
        }
    }

    private void CountPin()
    {
        var state = Volatile.Read(ref _state);
        while (true)
        {
            if (state < 0)
            {
                ThrowRevoked();
            }

            var before = Interlocked.CompareExchange(ref _state, state + 1, state);
            if (before == state)
            {
                return;
            }

            state = before;
        }
    }

    private static void ThrowRevoked() =>
        throw new ObjectDisposedException(
            nameof(Memory<byte>), "This memory belonged to a pooled stream or owner that has been disposed, or to a stream that has moved its content since. Get it again, or keep the owner alive longer.");
}
