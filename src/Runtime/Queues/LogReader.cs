using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The engine of an exclusive consumer: looks at the record at its cursor, waits for one, and moves the cursor on commit.</summary>
internal sealed unsafe partial class LogReader : Participant
{
    private readonly SegmentLog _log;
    private readonly long* _cursor;
    private MappedFile? _segment;

    // The record at the cursor or behind padding, and the end of the segment; both are null before the first segment is mapped.
    private byte* _record;
    private byte* _end;

    // Position of a record = its address + this.
    private long _origin;

    // The record that is being read; its length is 0 while there is none.
    private uint _recordBytes;
    private int _payloadBytes;

    private bool _isRedelivery;

    public LogReader(ControlFile control, Seat seat)
        : base(control, seat)
    {
        _log = new SegmentLog(control);
        _cursor = &control.Cursor(seat.Cursor)->Position;
        _origin = *_cursor;
        _isRedelivery = seat.IsTakeover;
        var isPossible = _origin >= 0 && _origin % RecordWord.Alignment == 0 && _origin / control.SegmentBytes <= _log.OpenSegments;
        if (!isPossible)
        {
            throw new QueueCorruptedException(control.Path, (byte*)_cursor - (byte*)control.Header, $"the cursor stands at {_origin}, where no record can be");
        }
    }

    private long Position => _origin + (long)_record;

    protected override string ObjectName => "MessageConsumer";

    /// <summary>Opens a lease on the next record, if there is one.</summary>
    public bool TryLease(out long use)
    {
        use = Enter();
        return TryTakeHere() || LookOrExit();
    }

    /// <summary>Opens a lease on the next record and waits for it if need be.</summary>
    public bool TryLease(TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must not be negative, except for Timeout.InfiniteTimeSpan.");
        }

        use = Enter();
        return TryTakeHere() || AwaitOrExit(timeout, cancellationToken);
    }

    /// <summary>The payload of the record that is being read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(long use)
    {
        RequireOpen(use);
        return new ReadOnlySpan<byte>(_record + RecordWord.HeaderBytes, _payloadBytes);
    }

    /// <summary>The payload of the record that is being read, as a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref readonly T Value<T>(long use)
        where T : unmanaged
    {
        RequireOpen(use);
        if (_payloadBytes != Unsafe.SizeOf<T>())
        {
            ThrowNoValue(Unsafe.SizeOf<T>());
        }

        return ref *(T*)(_record + RecordWord.HeaderBytes);
    }

    /// <summary>The position of the record that is being read.</summary>
    public long PositionOf(long use)
    {
        RequireOpen(use);
        return Position;
    }

    /// <summary>The record that is being read may have been delivered to an owner of this name who died.</summary>
    public bool IsRedelivery(long use)
    {
        RequireOpen(use);
        return _isRedelivery;
    }

    /// <summary>Moves the cursor behind the leased record and closes the lease.</summary>
    public void CommitLease(long use)
    {
        RequireOpen(use);
        Commit();
        Exit();
    }

    /// <summary>Closes a lease; a record that was not committed is the next one again.</summary>
    public void CloseLease(long use)
    {
        if (IsOpen(use))
        {
            _recordBytes = 0;
            Exit();
        }
    }

    protected override void OnDisposedInUse() => Volatile.Write(ref _stop, true);

    protected override void Unmap() => _segment?.Dispose();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Commit()
    {
        _record += _recordBytes;
        _recordBytes = 0;
        Volatile.Write(ref *_cursor, _origin + (long)_record);
        _isRedelivery = false;
    }

    /// <summary>Takes the record at the cursor if it is committed; nothing else is looked at.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryTakeHere()
    {
        var record = _record;
        var remaining = _end - record;
        if (remaining != 0)
        {
            var word = Volatile.Read(ref *(ulong*)record);
            var payloadBytes = *(uint*)(record + RecordWord.PayloadBytesOffset);
            var bytes = RecordWord.Bytes(word);
            if (RecordWord.State(word) == RecordWord.Committed
                && RecordWord.HasValidLength(word, remaining)
                && payloadBytes <= bytes - RecordWord.HeaderBytes)
            {
                _recordBytes = bytes;
                _payloadBytes = (int)payloadBytes;
                return true;
            }
        }

        return false;
    }

    private bool LookOrExit()
    {
        var isTaken = false;
        try
        {
            return isTaken = Look();
        }
        finally
        {
            if (!isTaken)
            {
                Exit();
            }
        }
    }

    private bool AwaitOrExit(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var isTaken = false;
        try
        {
            return isTaken = Look() || Await(timeout, cancellationToken);
        }
        finally
        {
            if (!isTaken)
            {
                Exit();
            }
        }
    }

    /// <summary>Steps over padding and segment ends to a committed record; false when there is none yet.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Look()
    {
        while (_record != _end || EnterNextSegment())
        {
            var word = Volatile.Read(ref *(ulong*)_record);
            var state = RecordWord.State(word);
            if (state is not (RecordWord.Committed or RecordWord.Padding))
            {
                SegmentLog.RequireUnfinished(_segment!.Path, Position, word, _end - _record);
                return false;
            }

            if (!RecordWord.HasValidLength(word, _end - _record))
            {
                throw SegmentLog.CorruptedRecord(_segment!.Path, Position, word);
            }

            if (state == RecordWord.Committed)
            {
                TakeCommitted(RecordWord.Bytes(word));
                return true;
            }

            _record += RecordWord.Bytes(word);
        }

        return false;
    }

    private void TakeCommitted(uint bytes)
    {
        var payloadBytes = *(uint*)(_record + RecordWord.PayloadBytesOffset);
        if (payloadBytes > bytes - RecordWord.HeaderBytes)
        {
            throw new QueueCorruptedException(_segment!.Path, Position, $"a record of {bytes} bytes claims a payload of {payloadBytes}");
        }

        _recordBytes = bytes;
        _payloadBytes = (int)payloadBytes;
    }

    private bool EnterNextSegment()
    {
        var position = Position;
        var segment = Math.DivRem(position, Control.SegmentBytes, out var offset);
        if (segment >= _log.OpenSegments)
        {
            return false;
        }

        var next = _log.Open(segment);
        _segment?.Dispose();
        _segment = next;
        _record = next.Start + offset;
        _end = next.Start + next.Length;
        _origin = position - (long)_record;
        return true;
    }

    [DoesNotReturn]
    private void ThrowNoValue(int size) =>
        throw new QueueCorruptedException(_segment!.Path, Position, $"the record holds {_payloadBytes} bytes instead of a value of {size}");
}
