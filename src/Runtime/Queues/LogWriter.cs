using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The single producer's engine: a private tail, plain release stores, no interlocked operation and no system call per record.
/// A record is reserved before its first payload byte is written, so that a successor knows how much a dead producer left unfinished.
/// </summary>
internal sealed unsafe class LogWriter : Participant
{
    // Pages are prepared this many bytes ahead: enough to spread the system calls, few enough to be in the processor's cache still
    // when they are written.
    private const int PreparedBytes = 1024 * 1024;

    private readonly SegmentLog _log;
    private readonly int _slot;
    private readonly long* _lastPublished;
    private MappedFile _segment;

    // The next record, the end of the mapped pages, and the end of the segment.
    private byte* _tail;
    private byte* _limit;
    private byte* _end;

    // Position of a record = its address + this.
    private long _origin;

    /// <summary>Opens the queue's producer: finishes what a dead one left and stands behind the last record.</summary>
    public LogWriter(ControlFile control, Seat seat)
        : base(control, seat)
    {
        _log = new SegmentLog(control);
        _slot = seat.Slot;
        _lastPublished = &control.Participant(seat.Slot)->LastPublished;
        MaxPayloadBytes = (int)Math.Min(RecordWord.MaxPayloadBytes(control.SegmentBytes), int.MaxValue);

        // The last segment is the only one with an unfinished record: a segment is filled to its end before the next one opens.
        var segment = Math.Max(_log.OpenSegments - 1, 0);
        _segment = _log.OpenOrCreate(segment, _slot);
        try
        {
            var segmentPosition = segment * control.SegmentBytes;
            Stand(segmentPosition, FindTail(segmentPosition));
        }
        catch
        {
            _segment.Dispose();
            throw;
        }

        // Registers this process with the kernel, if that is how it fences, before its first record.
        ProcessFence.Frequent();
        _log.Publish(segment + 1);
        Volatile.Write(ref *_lastPublished, Position);
        Signal.WakeAll();
    }

    public int MaxPayloadBytes { get; }

    /// <summary>The position of the next record.</summary>
    public long Position => _origin + (long)_tail;

    protected override string ObjectName => "MessageProducer";

    /// <summary>Reserves a record; until it is committed or abandoned the producer is in use.</summary>
    /// <param name="payloadBytes">Bytes of payload the record must hold.</param>
    /// <param name="use">Names this use.</param>
    /// <returns>The payload, aligned to 16 bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Reserve(int payloadBytes, out long use)
    {
        use = Enter();
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        var bytes = RecordWord.RecordBytes(payloadBytes);
        var record = _tail;
        if (bytes > (ulong)(_limit - record))
        {
            record = MakeRoom(bytes);
        }

        Volatile.Write(ref *(ulong*)record, RecordWord.Compose(RecordWord.Reserved, _slot, bytes));

        // The reservation must be visible before the payload is.
        Volatile.WriteBarrier();
        return record + RecordWord.HeaderBytes;
    }

    /// <summary>Publishes the reserved record with all of its payload.</summary>
    /// <returns>The record's position.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Commit(int payloadBytes) => Commit(payloadBytes, RecordWord.RecordBytes(payloadBytes));

    /// <summary>Publishes the reserved record with a part of its payload, and gives the rest back.</summary>
    /// <param name="use">Must be the open one.</param>
    /// <param name="payloadBytes">Bytes of payload that were used.</param>
    /// <param name="reservedPayloadBytes">Bytes of payload that were reserved.</param>
    /// <returns>The record's position.</returns>
    public long CommitPart(long use, int payloadBytes, int reservedPayloadBytes)
    {
        RequireOpen(use);
        if ((uint)payloadBytes > (uint)reservedPayloadBytes)
        {
            throw new ArgumentOutOfRangeException(
                nameof(payloadBytes), payloadBytes, $"The claim has {reservedPayloadBytes} bytes; commit between 0 and that many.");
        }

        // What is given back must read as free before the shorter record becomes visible. Until then the word says
        // reserved with the full length, so that a crash in between pads all of it.
        var bytes = RecordWord.RecordBytes(payloadBytes);
        new Span<byte>(_tail + bytes, (int)(RecordWord.RecordBytes(reservedPayloadBytes) - bytes)).Clear();
        return Commit(payloadBytes, bytes);
    }

    /// <summary>Requires a claim to be open.</summary>
    public void Require(long use) => RequireOpen(use);

    /// <summary>Turns the reserved record into padding, unless it was committed before.</summary>
    public void Abandon(long use)
    {
        if (IsOpen(use))
        {
            var bytes = RecordWord.Bytes(*(ulong*)_tail);
            Volatile.Write(ref *(ulong*)_tail, RecordWord.Compose(RecordWord.Padding, _slot, bytes));
            _tail += bytes;
            Exit();
        }
    }

    protected override void Unmap() => _segment.Dispose();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Commit(int payloadBytes, uint bytes)
    {
        var record = _tail;
        var position = _origin + (long)record;

        // One store for the payload's size and the checksum, which this queue does not have.
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = (uint)payloadBytes;
        Volatile.Write(ref *(ulong*)record, RecordWord.Compose(RecordWord.Committed, _slot, bytes));
        _tail = record + bytes;
        Volatile.Write(ref *_lastPublished, position + bytes);
        Signal.WakeWaiters();
        Exit();
        return position;
    }

    /// <summary>Maps more pages of the segment, or goes on to the next one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte* MakeRoom(uint bytes)
    {
        try
        {
            if (bytes > _end - _tail)
            {
                EnterNextSegment();
            }

            var start = _limit - _segment.Start;
            var end = Math.Min(PageEnd(_tail - _segment.Start + Math.Max(PreparedBytes, bytes)), _segment.Length);
            _segment.PrepareForWriting(start, end - start);
            _limit = _segment.Start + end;
            return _tail;
        }
        catch
        {
            Exit();
            throw;
        }
    }

    private void EnterNextSegment()
    {
        // The new file comes first: when the disk is full, nothing has happened yet.
        var segmentPosition = _origin + (long)_end;
        var segment = segmentPosition / Control.SegmentBytes;
        var next = _log.OpenOrCreate(segment, _slot);
        var rest = (uint)(_end - _tail);
        if (rest != 0)
        {
            Volatile.Write(ref *(ulong*)_tail, RecordWord.Compose(RecordWord.Padding, _slot, rest));
        }

        _segment.Dispose();
        _segment = next;
        Stand(segmentPosition, offset: 0);
        _log.Publish(segment + 1);
    }

    private void Stand(long segmentPosition, long offset)
    {
        _tail = _segment.Start + offset;
        _limit = _segment.Start + PageEnd(offset);
        _end = _segment.Start + _segment.Length;
        _origin = segmentPosition - (long)_segment.Start;
    }

    private static long PageEnd(long offset) => (offset + Environment.SystemPageSize - 1) & -Environment.SystemPageSize;

    private long FindTail(long segmentPosition)
    {
        var offset = _log.FindOffset(_segment, segmentPosition, _segment.Length);
        if (offset == _segment.Length)
        {
            return offset;
        }

        ref var word = ref *(ulong*)(_segment.Start + offset);
        if (RecordWord.State(word) != RecordWord.Reserved)
        {
            return offset;
        }

        // Its producer is dead, or this one could not have been opened.
        var bytes = RecordWord.Bytes(word);
        Volatile.Write(ref word, RecordWord.Compose(RecordWord.Padding, _slot, bytes));
        return offset + bytes;
    }

    private void RefuseSize(int payloadBytes)
    {
        Exit();
        ArgumentOutOfRangeException.ThrowIfNegative(payloadBytes);
        throw new MessageTooLargeException(
            $"A message of {payloadBytes} bytes does not fit: a segment of this queue holds {MaxPayloadBytes} at most. " +
            $"Create the queue with larger segments (MessageQueueOptions.SegmentBytes, up to {MessageQueueOptions.MaxSegmentBytes}), or send the message in parts.",
            payloadBytes,
            MaxPayloadBytes);
    }
}
