using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The only producer of a queue. Its tail is private; a record takes plain release stores, without an interlocked operation or a system call.
/// It writes the free word after a record before the record itself, so the bytes further on have no meaning.
/// </summary>
internal sealed unsafe class ExclusiveLogWriter : LogWriter
{
    // Pages are prepared this many bytes ahead: enough to spread the system calls, few enough to be still in the processor's cache
    // when they are written.
    private const int PreparedBytes = 256 * 1024;

    // A message in place needs at least this much room, and several times that of the largest recent one: a message that does not fit is written a second time, elsewhere.
    private const int LeastRoom = 4 * 1024;
    private const int RoomOfLargest = 4;
    private const int RoomFadesBy = 64;

    // The lines of a ring are taken in windows of this many bytes: few enough to be still in the nearest cache when they are written.
    private const int WindowBytes = 16 * 1024;

    // A producer that takes longer for a window is not limited by its cache lines, and none of its messages should wait for hundreds of lines.
    private static readonly long LongestWindow = Stopwatch.Frequency / 1_000_000 * 25;

    private readonly bool _preparesPages;
    private Segment _segment;
    private ulong _freeWord;

    // The segment's first byte, and offsets in it: the end of the last record, reserved ones included; the end of the prepared pages or of the
    // window; the end of the segment. No offset passes the end, and a mapped range stays memory: even threads that share the writer by mistake write nowhere outside of it.
    private byte* _start;
    private long _tail;
    private long _limit;
    private long _end;

    private LineTrials _lineTrials;
    private long _windowTime;

    // The least room for a message in place.
    private long _wantedRoom = LeastRoom;

    /// <summary>Opens the queue's producer: turns a dead producer's unfinished record into padding, and continues after the last record.</summary>
    public ExclusiveLogWriter(QueueHandle queue, Membership membership, ProducerOptions options)
        : base(queue, membership, options)
    {
        // The pages of a ring are reused; those of a segment file are always new.
        _preparesPages = queue.Control.Mode == QueueMode.Durable;

        // The last segment is the only one with an unfinished record: a segment is filled to its end before the next one opens.
        var last = Math.Max(Segments.Count - 1, 0);
        if (TryOpen(last))
        {
            var segment = Segments.Map(last);
            try
            {
                var position = FindTail(segment);
                if (position == segment.Position + SegmentHeader.Bytes)
                {
                    FillUp(last - 1);
                }

                MoveTo(segment, position);
            }
            catch
            {
                segment.Dispose();
                throw;
            }
        }

        Me.LastClaim = Position;
        Records.WakeAll();
    }

    /// <summary>The position of the next record.</summary>
    private long Position => _segment.Position + _tail;

    public override void Close()
    {
        _segment.Dispose();
        base.Close();
    }

    /// <summary>
    /// Begins a message in place: it is written after the last record, before there is a record for it. The free word at that place stays until the message is
    /// complete, so no participant looks at the bytes after it; if this producer dies, nothing of the message is left.
    /// </summary>
    /// <returns>
    /// The room for the payload; the producer is in use until the payload is committed or refused, or the use is abandoned. Empty if too little room is at hand; then no use is open.
    /// </returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> BeginInPlace(out long use)
    {
        // The tail is read within the use: another thread that breaks the rule may have just moved it.
        use = BeginUse();
        var tail = _tail;
        var room = RoomAfter(tail);
        if (room >= _wantedRoom || TryPrepareRoom(tail, out room))
        {
            return new Span<byte>(_start + tail + RecordWord.HeaderBytes, (int)room);
        }

        _wantedRoom = Math.Max(_wantedRoom - (_wantedRoom / RoomFadesBy), LeastRoom);
        EndUse();
        return default;
    }

    /// <summary>Publishes the message that was written in place.</summary>
    /// <returns>The record's position.</returns>
    /// <exception cref="InvalidOperationException">Another thread is using the producer.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long CommitInPlace(int payloadBytes)
    {
        var tail = _tail;
        var bytes = RecordWord.RecordBytes(payloadBytes);
        if (tail + bytes >= _limit)
        {
            UseGate.ThrowInUse();
        }

        var record = _start + tail;
        var position = Origin + (long)record;
        FaultPoints.ReadWaitersEarly(ref Control.Header.Waiters);
        *(ulong*)(record + bytes) = _freeWord;
        StoreLastClaim(position);
        FaultPoints.Hit(FaultPoint.WrittenInPlace);
        _tail = tail + bytes;
        if (bytes > _wantedRoom / RoomOfLargest)
        {
            _wantedRoom = (long)bytes * RoomOfLargest;
        }

        Publish(record, position, RecordWord.Compose(RecordWord.Committed, Slot, bytes), payloadBytes);
        EndUse();
        return position;
    }

    /// <summary>Abandons a message that did not fit into its room, and requires more room for a while.</summary>
    public void RefuseInPlace(long use, int roomBytes)
    {
        _wantedRoom = Math.Max(_wantedRoom, (long)roomBytes * RoomOfLargest);
        Abandon(use);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override bool TryReserve(uint bytes)
    {
        var tail = _tail;
        if (tail + bytes >= _limit)
        {
            return false;
        }

        var record = _start + tail;
        *(ulong*)(record + bytes) = _freeWord;
        Reserve(record, bytes);
        _tail = tail + bytes;
        return true;
    }

    protected override bool TryReserveSlow(uint bytes)
    {
        if (bytes > _end - _tail && !TryEnterNextSegment())
        {
            return false;
        }

        Prepare(bytes);
        if (!TryReserve(bytes))
        {
            // It ends with the segment, so no position follows it there.
            var tail = _tail;
            if (tail + bytes != _end)
            {
                UseGate.ThrowInUse();
            }

            Reserve(_start + tail, bytes);
            _tail = _end;
        }

        return true;
    }

    protected override void Shorten(byte* record, uint bytes, uint reservedBytes)
    {
        if (bytes != reservedBytes)
        {
            *(ulong*)(record + bytes) = _freeWord;
            _tail = RequireOffset(record + bytes - _start);
        }
    }

    /// <summary>Bytes for a payload in place at an offset; the free word after the record lies before the limit too.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long RoomAfter(long offset) => _limit - offset - RecordWord.HeaderBytes - RecordWord.Alignment;

    // The pages of a new file are left to a reservation, which reports a full disk.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryPrepareRoom(long tail, out long room)
    {
        if (!_preparesPages && _limit < _end)
        {
            BeginWindow(_wantedRoom + RecordWord.HeaderBytes);
        }

        room = RoomAfter(tail);
        return room >= _wantedRoom;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Reserve(byte* record, uint bytes)
    {
        FaultPoints.ReadWaitersEarly(ref Control.Header.Waiters);
        StoreLastClaim(Origin + (long)record);
        FaultPoints.Hit(FaultPoint.BeforeClaim);
        Volatile.Write(ref *(ulong*)record, RecordWord.Compose(RecordWord.Reserved, Slot, bytes));

        // The reservation must be visible before the payload is.
        Volatile.WriteBarrier();
        FaultPoints.Hit(FaultPoint.AfterClaim);
        Reserved = record;
    }

    // A search for the published position begins at the last claim, so the record before it, and the free word at it, must be visible first.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void StoreLastClaim(long position) => Volatile.Write(ref Me.LastClaim, position);

    private void Prepare(uint bytes)
    {
        if (_limit == _end)
        {
            return;
        }

        if (!_preparesPages)
        {
            BeginWindow(bytes);
            return;
        }

        var limit = Math.Min(PageEnd(_tail + Math.Max(PreparedBytes, bytes + RecordWord.Alignment)), SegmentBytes);
        _segment.File.PrepareForWriting(_limit, limit - _limit);
        _limit = limit;
    }

    /// <summary>
    /// Moves the limit in a ring, and takes the cache lines up to it from the readers, which have had them since the last lap: it stores to each line once, after the free word at the
    /// tail, where bytes have no meaning. The stores of a message would fill the processor's store buffer, so that it fetches only the few lines of that message at a time. Each of these
    /// stores is to a line of its own.
    /// </summary>
    private void BeginWindow(long bytes)
    {
        var now = Stopwatch.GetTimestamp();
        var ticks = now - _windowTime;
        _windowTime = now;
        var start = _start;
        var line = _limit;
        var limit = Math.Min(LineEnd(_tail + Math.Max(WindowBytes, bytes + RecordWord.Alignment)), SegmentBytes);
        if (ticks < LongestWindow && bytes < WindowBytes && _lineTrials.Next(ticks))
        {
            for (; line < limit; line += ProcessorCache.LineBytes)
            {
                start[line] = 0;
            }
        }

        _limit = limit;
    }

    private bool TryEnterNextSegment()
    {
        // The next segment is opened first, so that nothing has changed if there is no room for it.
        var position = _segment.Position + _end;
        var next = position / SegmentBytes;
        if (!TryOpen(next))
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.NextSegmentOpened);
        Segments.Events.Tell();
        var segment = Segments.Map(next);
        var tail = _tail;
        if (tail != _end)
        {
            StorePadding(_start + RequireOffset(tail), (uint)(SegmentBytes - tail));
        }

        FaultPoints.Hit(FaultPoint.AfterEndPadding);
        _segment.Dispose();
        MoveTo(segment, position + SegmentHeader.Bytes);
        return true;
    }

    private void MoveTo(in Segment segment, long position)
    {
        _segment = segment;
        _freeWord = segment.FreeWord;
        _limit = 0;
        _start = (byte*)segment.Start;
        _tail = position - segment.Position;
        _end = SegmentBytes;
        _limit = _preparesPages ? PageEnd(_tail) : Math.Min(LineEnd(_tail + RecordWord.Alignment), _end);
        Origin = segment.Position - segment.Start;
    }

    // A producer that died between opening a segment and padding the last one left free room there, at which readers stop. The bytes after the free
    // word have no meaning: they may be the rest of a larger claim.
    private void FillUp(long number)
    {
        if (number < 0 || !Segments.IsOpen(number))
        {
            return;
        }

        using var segment = Segments.Map(number);
        var position = FindTail(segment);
        var rest = (uint)(segment.Position + SegmentBytes - position);
        if (rest != 0)
        {
            StorePadding(segment.At(position), position, rest);
        }
    }

    private long RequireOffset(long offset)
    {
        if ((ulong)offset >= (ulong)SegmentBytes)
        {
            UseGate.ThrowInUse();
        }

        return offset;
    }

    private static long LineEnd(long offset) => (offset + ProcessorCache.LineBytes - 1) & -ProcessorCache.LineBytes;

    private static long PageEnd(long offset) => (offset + Environment.SystemPageSize - 1) & -Environment.SystemPageSize;

    private long FindTail(in Segment segment)
    {
        var end = segment.Position + SegmentBytes;
        var position = Segments.FindEndFrom(segment, segment.Position);
        if (position == end)
        {
            return end;
        }

        var word = Volatile.Read(ref segment.Word(position));
        if (RecordWord.State(word) != RecordWord.Reserved)
        {
            return position;
        }

        // Its producer is dead; otherwise this one could not have been opened.
        Segments.TryPadReservation(segment, position, word);
        return position + RecordWord.Bytes(word);
    }
}
