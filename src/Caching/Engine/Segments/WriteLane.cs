using System.Diagnostics;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// A chunk of a segment, in which one thread at a time writes records. A lane has lines of the processor's cache of its own, so that threads in different lanes do not wait for each other.
/// The slot changes only under the lock of the pool; everything else belongs to the thread that has taken the lane.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct WriteLane
{
    private const int Bytes = 128;

    [FieldOffset(0)] private int _isTaken;
    [FieldOffset(4)] private int _slotPlusOne;
    [FieldOffset(8)] private long _sets;
    [FieldOffset(16)] private long _written;
    [FieldOffset(24)] private ulong _lastSequence;
    [FieldOffset(32)] private ulong _endSequence;

    /// <summary>The offset of the next record.</summary>
    [FieldOffset(40)] public long Position;

    /// <summary>The offset after the chunk.</summary>
    [FieldOffset(48)] public long End;

    /// <summary>The address that the beginning of the segment would have, if the chunk is staged, or was before it was moved; otherwise 0.</summary>
    [FieldOffset(56)] public nint Room;

    /// <summary>Gets the slot of the segment, or <see cref="ControlHeader.NoSlot"/>.</summary>
    public readonly int Slot => Volatile.Read(in _slotPlusOne) - 1;

    /// <summary>Gets the records that were published.</summary>
    public readonly long Sets => Volatile.Read(in _sets);

    /// <summary>Gets the bytes of the records that were reserved.</summary>
    public readonly long WrittenBytes => Volatile.Read(in _written);

    /// <summary>Takes the lane, unless another thread has it.</summary>
    public bool TryTake() => Volatile.Read(in _isTaken) == 0 && Interlocked.CompareExchange(ref _isTaken, 1, 0) == 0;

    public void GiveBack() => Volatile.Write(ref _isTaken, 0);

    /// <summary>Begins a chunk. Sequence numbers from before are given up, because they may not be above that of the segment.</summary>
    public void Begin(int slot, long position, long end, nint room)
    {
        Debug.Assert(_isTaken != 0, "Another thread may be writing to the old chunk.");
        (Position, End, Room, _lastSequence, _endSequence) = (position, end, room, 0, 0);
        Volatile.Write(ref _slotPlusOne, slot + 1);
    }

    /// <summary>Determines whether the chunk has room for a record. The rest is never 16 bytes, which are shorter than any record.</summary>
    public readonly bool HasRoom(uint bytes) => End - Position - bytes is var rest && (rest >= 2 * RecordWord.Alignment || rest == 0);

    /// <summary>Counts the bytes of a record as used.</summary>
    public void Use(uint bytes)
    {
        Debug.Assert(HasRoom(bytes), "The record would end outside the chunk.");
        Position += bytes;
        Volatile.Write(ref _written, _written + bytes);
    }

    public void CountSet() => Volatile.Write(ref _sets, _sets + 1);

    /// <summary>Takes the next number of the lane's block.</summary>
    /// <param name="above">The number of the record that is replaced, or the last one of its block: the numbers of this lane's block ascend.</param>
    /// <param name="cleared">The last number that was cleared.</param>
    /// <param name="sequence">The number.</param>
    /// <returns>False when it would not be above both.</returns>
    public bool TryNextSequence(ulong above, ulong cleared, out ulong sequence)
    {
        sequence = _lastSequence + 1;
        var isThere = _lastSequence < _endSequence && sequence > cleared && (sequence > above || above == _endSequence);
        _lastSequence = isThere ? sequence : _lastSequence;
        return isThere;
    }

    /// <summary>Replaces the block of sequence numbers, and takes its first one.</summary>
    public ulong BeginSequence(ulong end, uint count)
    {
        _endSequence = end;
        _lastSequence = end - count + 1;
        return _lastSequence;
    }
}
