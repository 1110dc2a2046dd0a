using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The only producer of a queue: a private tail, plain release stores, no interlocked operation and no system call per record.
/// It writes the free word of the position behind a record before the record itself, so that what lies further behind means nothing.
/// </summary>
internal sealed unsafe class SingleWriter : LogWriter
{
    // Pages are prepared this many bytes ahead: enough to spread the system calls, few enough to be in the processor's cache still
    // when they are written.
    private const int PreparedBytes = 256 * 1024;

    private readonly bool _preparesPages;
    private Segment _segment;
    private ulong _freeWord;

    // What is behind the last record, reserved ones included; the end of the prepared pages, and the end of the segment.
    private byte* _tail;
    private byte* _limit;
    private byte* _end;

    /// <summary>Opens the queue's producer: finishes what a dead one left and stands behind the last record.</summary>
    public SingleWriter(ControlFile control, Seat seat)
        : base(control, seat)
    {
        // The pages of a ring are reused; those of a segment file are always new.
        _preparesPages = control.Mode == QueueMode.Durable;

        // The last segment is the only one with an unfinished record: a segment is filled to its end before the next one opens.
        var last = Math.Max(Segments.Count - 1, 0);
        if (TryOpen(last))
        {
            var segment = Segments.Map(last);
            try
            {
                var position = FindTail(segment);
                if (position == segment.Position)
                {
                    FillUp(last - 1);
                }

                Stand(segment, position);
            }
            catch
            {
                segment.Release();
                throw;
            }
        }

        Me->LastClaim = Position;
        Records.WakeAll();
    }

    /// <summary>The position of the next record.</summary>
    private long Position => Origin + (long)_tail;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override bool TryReserve(uint bytes)
    {
        var record = _tail;
        if (bytes >= (ulong)(_limit - record))
        {
            return false;
        }

        *(ulong*)(record + bytes) = _freeWord;
        Reserve(record, bytes);
        return true;
    }

    protected override bool TryReserveFurther(uint bytes)
    {
        if (bytes > _end - _tail && !TryEnterNextSegment())
        {
            return false;
        }

        PreparePages(bytes);
        if (!TryReserve(bytes))
        {
            // It ends where the segment ends: there is no position behind it.
            Reserve(_tail, bytes);
        }

        return true;
    }

    protected override void Shorten(uint bytes, uint reservedBytes)
    {
        if (bytes != reservedBytes)
        {
            _tail = Reserved + bytes;
            *(ulong*)_tail = _freeWord;
        }
    }

    protected override void Unmap()
    {
        base.Unmap();
        _segment.Release();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Reserve(byte* record, uint bytes)
    {
        FaultPoints.ReadWaitersEarly(&Control.Header->Waiters);
        Me->LastClaim = Origin + (long)record;
        FaultPoints.Hit(FaultPoint.BeforeClaim);
        Volatile.Write(ref *(ulong*)record, RecordWord.Compose(RecordWord.Reserved, Slot, bytes));

        // The reservation must be visible before the payload is.
        Volatile.WriteBarrier();
        FaultPoints.Hit(FaultPoint.AfterClaim);
        Reserved = record;
        _tail = record + bytes;
    }

    private void PreparePages(uint bytes)
    {
        if (_limit == _end)
        {
            return;
        }

        var start = _limit - (byte*)_segment.Start;
        var end = Math.Min(PageEnd(_tail - (byte*)_segment.Start + Math.Max(PreparedBytes, bytes + RecordWord.Alignment)), Control.SegmentBytes);
        _segment.File.PrepareForWriting(start, end - start);
        _limit = (byte*)_segment.Start + end;
    }

    private bool TryEnterNextSegment()
    {
        // The next segment comes first: when there is no room for it, nothing has happened yet.
        var position = Origin + (long)_end;
        var next = position / Control.SegmentBytes;
        if (!TryOpen(next))
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.NextSegmentOpened);
        var segment = Segments.Map(next);
        var rest = (uint)(_end - _tail);
        if (rest != 0)
        {
            StorePadding(_tail, rest);
        }

        FaultPoints.Hit(FaultPoint.AfterEndPadding);
        _segment.Release();
        Stand(segment, position);
        return true;
    }

    private void Stand(in Segment segment, long position)
    {
        _segment = segment;
        _freeWord = segment.FreeWord;
        _tail = segment.At(position);
        _end = (byte*)segment.Start + Control.SegmentBytes;
        _limit = _preparesPages ? (byte*)segment.Start + PageEnd(_tail - (byte*)segment.Start) : _end;
        Origin = segment.Position - segment.Start;
    }

    // A producer that died after it had opened a segment, and before it padded the one in front, left free room there: readers stop at it.
    private void FillUp(long number)
    {
        if (number < 0 || !Segments.IsOpen(number))
        {
            return;
        }

        var segment = Segments.Map(number);
        try
        {
            var position = FindTail(segment);
            var rest = (uint)(segment.Position + Control.SegmentBytes - position);
            if (rest != 0)
            {
                Volatile.Write(ref *(ulong*)segment.At(position), RecordWord.Compose(RecordWord.Padding, Slot, rest));
            }
        }
        finally
        {
            segment.Release();
        }
    }

    private static long PageEnd(long offset) => (offset + Environment.SystemPageSize - 1) & -Environment.SystemPageSize;

    private long FindTail(in Segment segment)
    {
        var end = segment.Position + Control.SegmentBytes;
        var position = Segments.FindEnd(segment, end);
        if (position == end)
        {
            return end;
        }

        var word = Volatile.Read(ref *(ulong*)segment.At(position));
        if (RecordWord.State(word) != RecordWord.Reserved)
        {
            return position;
        }

        // Its producer is dead, or this one could not have been opened.
        Segments.TryPadReservation(segment, position, word);
        return position + RecordWord.Bytes(word);
    }
}
