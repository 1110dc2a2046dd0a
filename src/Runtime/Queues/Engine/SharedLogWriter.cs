using System.Runtime.CompilerServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// One of many producers. It claims a record by one compare-and-swap on the record's own state word, from the free word to a reservation
/// with its length and owner. The tail is only a hint of where to try.
/// </summary>
internal sealed unsafe class SharedLogWriter : LogWriter
{
    // A hint may be stale: a record of a later lap is then read at its position. Only a damaged queue is unreadable this many times.
    private const int MaxRestarts = 10_000;

    // Pages are mapped this many bytes ahead.
    private const int MappedAheadBytes = 1024 * 1024;

    private readonly SharedRecord<long> _hint;
    private Segment _segment;
    private ulong _freeWord;

    // The segment's first byte and position, and the number of bytes with mapped pages: never more than a segment has. A mapped range stays
    // memory: even threads that share the writer by mistake write nowhere outside of it.
    private byte* _start;
    private long _position;
    private long _readyBytes;

    public SharedLogWriter(QueueHandle queue, Membership membership, ProducerOptions options)
        : base(queue, membership, options)
    {
        _hint = SharedRecord<long>.Of(ref queue.Control.Header.TailHint);
        Enter(Math.Max(Segments.Count - 1, 0));
    }

    public override void Close()
    {
        _segment.Dispose();
        base.Close();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override bool TryReserve(uint bytes)
    {
        // Compared as an unsigned number, an offset before the mapped segment is too large.
        var position = Volatile.Read(ref _hint.Value);
        var offset = (ulong)(position - _position);
        return offset < (ulong)_readyBytes && offset + bytes <= (ulong)_readyBytes && offset % RecordWord.Alignment == 0
            && TryClaim(_start + offset, position, bytes);
    }

    protected override bool TryReserveSlow(uint bytes)
    {
        for (var restarts = 0; restarts < MaxRestarts; restarts++)
        {
            var position = Volatile.Read(ref _hint.Value);
            if (position < 0 || position % RecordWord.Alignment != 0)
            {
                break;
            }

            switch (Walk(position, bytes))
            {
                case Outcome.Reserved:
                    return true;
                case Outcome.NoRoom:
                    return false;
            }
        }

        throw new QueueCorruptedException(Control.Path, Control.OffsetOf(ref _hint.Value), "the tail hint does not lead to the end of the records");
    }

    // The rest of the record cannot be given back, since another producer may have claimed the position after it.
    protected override void Shorten(byte* record, uint bytes, uint reservedBytes)
    {
        if (bytes != reservedBytes)
        {
            StorePadding(record + bytes, reservedBytes - bytes);
        }
    }

    /// <summary>Walks from a record's position over all following records, and claims the first free position.</summary>
    private Outcome Walk(long position, uint bytes)
    {
        while (true)
        {
            var number = position / SegmentBytes;
            var offset = position - _position;
            if (!_segment.IsMapped || (ulong)offset >= (ulong)SegmentBytes)
            {
                var newest = Segments.Count - 1;
                if (number < newest && !Segments.IsOpen(number))
                {
                    // This producer slept through a lap. The hint is not read again, since a late store may have moved it back for good.
                    position = Segments.RequireNewest() * SegmentBytes;
                    continue;
                }

                if (number > newest + 1)
                {
                    return Outcome.Stale;
                }

                switch (Enter(number))
                {
                    case Outcome.NoRoom:
                        return Outcome.NoRoom;
                    case Outcome.Stale:
                        // The segment was filled and deleted while this producer slept.
                        position = Segments.RequireNewest() * SegmentBytes;
                        break;
                }

                Segments.Events.Tell();
                continue;
            }

            var rest = SegmentBytes - offset;
            MapPages(offset + bytes);
            var record = _start + offset;
            var word = Volatile.Read(ref *(ulong*)record);
            if (word == _freeWord)
            {
                if (bytes > rest)
                {
                    TryPad(record, (uint)rest);
                }
                else if (TryClaim(record, position, bytes))
                {
                    return Outcome.Reserved;
                }
            }
            else if (RecordWord.State(word) != RecordWord.Free && RecordWord.HasValidLength(word, rest))
            {
                position += RecordWord.Bytes(word);
            }
            else if (Segments.IsOpen(number))
            {
                return Outcome.Stale;
            }
            else
            {
                // The segment was reused while this producer slept.
                position = Segments.RequireNewest() * SegmentBytes;
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryClaim(byte* record, long position, uint bytes)
    {
        // Others find this producer's reservation by it.
        Volatile.Write(ref Me.LastClaim, position);
        FaultPoints.Hit(FaultPoint.BeforeClaim);
        if (Interlocked.CompareExchange(ref *(ulong*)record, RecordWord.Compose(RecordWord.Reserved, Slot, bytes), _freeWord) != _freeWord)
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.AfterClaim);
        Volatile.Write(ref _hint.Value, position + bytes);
        FaultPoints.Hit(FaultPoint.AfterTailHint);
        Reserved = record;
        return true;
    }

    private void TryPad(byte* record, uint bytes)
    {
        Interlocked.CompareExchange(ref *(ulong*)record, RecordWord.Compose(RecordWord.Padding, Slot, bytes), _freeWord);
        FaultPoints.Hit(FaultPoint.AfterEndPadding);
    }

    private Outcome Enter(long number)
    {
        if (!TryOpen(number))
        {
            return Outcome.NoRoom;
        }

        Segment next;
        try
        {
            next = Segments.Map(number);
        }
        catch (MessagesDeletedException)
        {
            return Outcome.Stale;
        }

        _segment.Dispose();
        _segment = next;
        _freeWord = next.FreeWord;
        _readyBytes = 0;
        _start = (byte*)next.Start;
        _position = next.Position;
        _readyBytes = next.OwnsFile ? 0 : SegmentBytes;
        Origin = next.Position - next.Start;
        return Outcome.Entered;
    }

    /// <summary>Maps the pages of a file ahead of a walk, many at a time: a page fault for each would cost more.</summary>
    private void MapPages(long bytes)
    {
        if (bytes > _readyBytes && _readyBytes < SegmentBytes)
        {
            var ready = Math.Min(bytes + MappedAheadBytes, SegmentBytes);
            _ = _segment.File.TryMapForWriting(_readyBytes, ready - _readyBytes);
            _readyBytes = ready;
        }
    }

    private enum Outcome
    {
        Entered,
        Reserved,
        NoRoom,
        Stale,
    }
}
