using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <content>
/// The arrays of streams and owners. A rental looks into the blocks of its thread, then into the stack of its size, then allocates.
/// No code outside of this folder sees these arrays as rentals, so none is returned twice.
/// </content>
internal sealed partial class BufferStore
{
    /// <summary>The most bytes that a pinned buffer has in addition to its usable ones.</summary>
    public const int MaxPinningBytes = Alignment;

    private const int Alignment = 64;
    private const byte Poison = 0xDD;

    private readonly int _pinningBytes;
    private readonly bool _poisonsOnReturn;

    /// <summary>Bytes of the largest block.</summary>
    public int BlockBytes => _sizes.BlockBytes;

    /// <summary>The most bytes that one buffer can have.</summary>
    public int MostBytes => Array.MaxLength - _pinningBytes;

    /// <summary>Bytes of the largest buffer that is pooled.</summary>
    public int LargestBytes => _sizes.LargestBytes;

    /// <inheritdoc cref="BufferSizes.FilledBytes"/>
    public int FilledBytes(long bytes) => _sizes.FilledBytes(bytes);

    /// <summary>The greatest length of a stream.</summary>
    public long MaxStreamBytes { get; }

    /// <summary>Returned buffers are overwritten, with zeros or poison.</summary>
    public bool OverwritesOnReturn { get; }

    /// <summary>Written bytes are set to zero when their buffer is returned.</summary>
    public bool ClearsOnReturn { get; }

    /// <summary>Rents a buffer of at least a number of bytes.</summary>
    /// <param name="bytes">Not negative.</param>
    public byte[] RentBuffer(int bytes)
    {
        Debug.Assert(bytes >= 0, "A buffer has no negative length.");
        if (bytes > _sizes.LargestBytes)
        {
            return AllocateLarge(bytes);
        }

        var sizeClass = _sizes.ClassOf(bytes);
        if (sizeClass < BufferSizes.BlockClasses && _threads.OfThisThread()?.TryTake(sizeClass) is { } block)
        {
            return _poisonsOnReturn ? CheckPoison(block) : block;
        }

        return RentShared(_stacks[sizeClass]);
    }

    /// <summary>Takes a buffer back. Another rental may get it from now on.</summary>
    /// <param name="buffer">A buffer of this pool that only the caller uses.</param>
    /// <param name="usedBytes">Bytes from its start that may have been written.</param>
    public void ReturnBuffer(byte[] buffer, int usedBytes)
    {
        Debug.Assert(usedBytes >= 0 && usedBytes <= CapacityOf(buffer), "The used bytes are those of the buffer.");
        if (OverwritesOnReturn)
        {
            Overwrite(buffer, usedBytes);
        }

        var bytes = CapacityOf(buffer);
        if (bytes > _sizes.LargestBytes)
        {
            DropLarge(bytes, BufferDropReason.TooLarge);
            return;
        }

        var sizeClass = _sizes.ClassOf(bytes);
        if (sizeClass < BufferSizes.BlockClasses && _threads.OfThisThread() is { } blocks && blocks.TryPut(sizeClass, buffer))
        {
            // After the buffer is there, so that a look at the pool that ends now cannot miss both.
            _upkeep.Ensure();
            return;
        }

        ReturnShared(buffer, _stacks[sizeClass]);
    }

    /// <summary>Gives up a buffer that must not be used again, because it may still be written to.</summary>
    public void DropBuffer(byte[] buffer, BufferDropReason reason)
    {
        var bytes = CapacityOf(buffer);
        if (bytes > _sizes.LargestBytes)
        {
            DropLarge(bytes, reason);
            return;
        }

        _stacks[_sizes.ClassOf(bytes)].CountDropped();
        _dropped(bytes, reason);
    }

    /// <summary>The number of usable bytes of a buffer.</summary>
    public int CapacityOf(byte[] buffer) => buffer.Length - _pinningBytes;

    /// <summary>The offset of the usable bytes in the array.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int OffsetOf(byte[] buffer) => _pinningBytes == 0 ? 0 : AlignedOffset(buffer);

    // A pinned array does not move, so the calculated offset stays valid.
    // SAFETY: Computes with the address of a pinned array and reads nothing.
    private static unsafe int AlignedOffset(byte[] buffer) =>
        (int)(-(nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(buffer)) & (Alignment - 1));

    private byte[] RentShared(FreeStack stack)
    {
        if (stack.PopOrCountAllocation() is { } buffer)
        {
            Forget(1, stack);
            return _poisonsOnReturn ? CheckPoison(buffer) : buffer;
        }

        try
        {
            return Allocate(stack.Bytes);
        }
        catch
        {
            stack.CountFailedAllocation();
            throw;
        }
    }

    private void ReturnShared(byte[] buffer, FreeStack stack)
    {
        // The room is taken before the buffer comes, so that free bytes never pass the limit.
        var taken = Volatile.Read(ref _stackBytes);
        while (taken + stack.Bytes <= _maxStackBytes)
        {
            var before = Interlocked.CompareExchange(ref _stackBytes, taken + stack.Bytes, taken);
            if (before == taken)
            {
                stack.Push(buffer);
                _upkeep.Ensure();
                return;
            }

            taken = before;
        }

        stack.CountDropped();
        _dropped(stack.Bytes, BufferDropReason.OverLimit);
    }

    private byte[] AllocateLarge(int bytes)
    {
        var buffer = Allocate(bytes);
        Interlocked.Increment(ref _largeRented);
        Interlocked.Add(ref _largeBytesInUse, bytes);
        return buffer;
    }

    private void DropLarge(int bytes, BufferDropReason reason)
    {
        Interlocked.Increment(ref _largeReturned);
        Interlocked.Add(ref _largeBytesInUse, -bytes);
        _dropped(bytes, reason);
    }

    private byte[] Allocate(int bytes)
    {
        if (bytes > MostBytes)
        {
            ThrowTooLarge(bytes);
        }

        var buffer = GC.AllocateUninitializedArray<byte>(bytes + _pinningBytes, pinned: _pinningBytes != 0);
        if (_poisonsOnReturn)
        {
            Array.Fill(buffer, Poison);
        }

        return buffer;
    }

    private void Overwrite(byte[] buffer, int usedBytes)
    {
        if (_poisonsOnReturn)
        {
            Array.Fill(buffer, Poison);
        }
        else
        {
            Array.Clear(buffer, OffsetOf(buffer), Math.Min(usedBytes, CapacityOf(buffer)));
        }
    }

    private byte[] CheckPoison(byte[] buffer)
    {
        var changed = buffer.AsSpan().IndexOfAnyExcept(Poison);
        if (changed < 0)
        {
            return buffer;
        }

        DropBuffer(buffer, BufferDropReason.ChangedAfterReturn);
        throw new InvalidOperationException(
            $"A buffer of {CapacityOf(buffer)} bytes of pool '{Name}' was changed at byte {changed - OffsetOf(buffer)} after it had been returned: look for spans and arrays that are used after Dispose.");
    }

    [DoesNotReturn]
    private void ThrowTooLarge(int bytes) =>
        throw new ArgumentOutOfRangeException(nameof(bytes), bytes, $"One buffer can have at most {MostBytes} bytes.");
}
