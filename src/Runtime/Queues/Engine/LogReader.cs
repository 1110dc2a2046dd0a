using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>A consumer's engine: takes records, waits for them, and says when they are done.</summary>
internal abstract unsafe partial class LogReader : Participant
{
    // About 2 microseconds.
    private const int LongestPatience = 64;
    private const int LooksOfFastProducer = 2;
    private const int HastySpins = 64;

    private readonly bool _hasChecksums;
    private Segment _segment;
    private long _messagesAtLastSpin;
    private int _patience = 1;
    private int _hastySpins;
    private byte* _payload;
    private int _payloadBytes;

    protected LogReader(ControlFile control, Seat seat)
        : base(control, seat)
    {
        _hasChecksums = control.HasChecksums;
    }

    protected override string ObjectName => "MessageConsumer";

    protected override WakeSignal Signal => Records;

    protected override AsyncWaits AsyncWaits => Control.RecordWaits;

    /// <summary>The cursor's word: the next record of an exclusive name, the next to give out of a group.</summary>
    protected long* Cursor => &Control.Cursor(Seat.Cursor)->Position;

    /// <summary>The position of the record that is being read.</summary>
    protected long TakenPosition { get; set; }

    /// <summary>The length of the record that is being read; 0 while there is none.</summary>
    protected uint TakenBytes { get; set; }

    /// <summary>The record that is being read may have been delivered to somebody who died.</summary>
    protected bool IsRedelivered { get; set; }

    /// <summary>The segment that is mapped.</summary>
    protected ref readonly Segment Segment => ref _segment;

    /// <summary>Opens a lease on the next record, if there is one.</summary>
    public bool TryLease(out long use)
    {
        use = Enter();
        return TryTakeHere() || LookOrExit();
    }

    /// <summary>Opens a lease on the next record and waits for it if need be.</summary>
    public bool TryLease(TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        RequireTimeout(timeout);
        use = Enter();
        return TryTakeHere() || AwaitOrExit(timeout, cancellationToken);
    }

    /// <summary>The payload of the record that is being read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(long use)
    {
        RequireOpen(use);
        return new ReadOnlySpan<byte>(_payload, _payloadBytes);
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

        return ref *(T*)_payload;
    }

    /// <summary>The position of the record that is being read.</summary>
    public long PositionOf(long use)
    {
        RequireOpen(use);
        return TakenPosition;
    }

    /// <summary>The record that is being read may have been delivered before.</summary>
    public bool IsRedelivery(long use)
    {
        RequireOpen(use);
        return IsRedelivered;
    }

    /// <summary>Says that the leased record is done, and closes the lease.</summary>
    public void CommitLease(long use)
    {
        RequireOpen(use);
        Finish();
        Exit();
    }

    /// <summary>Closes a lease; a record that was not committed is the next one again.</summary>
    public void CloseLease(long use)
    {
        if (IsOpen(use))
        {
            Retreat();
            Exit();
        }
    }

    /// <summary>Moves the name to another position.</summary>
    /// <returns>Where it stood before.</returns>
    public long Seek(QueueStart start)
    {
        var use = Enter();
        try
        {
            using var registrar = Registrar.Acquire(Control);
            var before = Volatile.Read(ref *Cursor);
            new StartPosition(Control).Place(start, MoveTo);
            Space.WakeWaiters();
            return before;
        }
        finally
        {
            CloseLease(use);
        }
    }

    /// <summary>Takes the next record where that takes one step.</summary>
    protected abstract bool TryTakeHere();

    /// <summary>Takes the next record; steps over padding and segment ends, and acts for the dead. False when there is none yet.</summary>
    protected abstract bool TryTakeFurther();

    /// <summary>The record that is being read is done.</summary>
    protected abstract void Finish();

    /// <summary>Moves the cursor. The caller sees to it that a record is there, or will be.</summary>
    protected abstract void MoveTo(long position);

    /// <summary>
    /// A consumer that has caught up with a producer at full speed looks at each record while it is being written, and takes its cache line
    /// away, which slows both down. So as long as the next records are there at once, it lets the producer get ahead before
    /// it looks: twice as long each time, while that brings the more records. Where it does not, the producer is not that fast, and the
    /// consumer looks soon again, for some time.
    /// </summary>
    protected override int FirstPause()
    {
        var read = Me->Messages - _messagesAtLastSpin;
        _messagesAtLastSpin += read;
        if (_hastySpins > 0)
        {
            _hastySpins--;
        }
        else if (LooksOfLastSpin > LooksOfFastProducer || read < _patience / 2)
        {
            _patience = 1;
            _hastySpins = HastySpins;
        }
        else if (_patience < LongestPatience)
        {
            _patience *= 2;
        }

        return _patience;
    }

    protected override bool TryProceed() => TakenBytes != 0 || TryTakeFurther();

    protected override bool IsReadyNow() => TryTakeNow();

    protected override void OnDisposedInUse() => Volatile.Write(ref _stop, true);

    protected override void Unmap() => _segment.Release();

    /// <summary>Maps the segment of a position, if it is open.</summary>
    protected bool TryEnter(long position)
    {
        var number = position / Control.SegmentBytes;
        if (_segment.IsMapped && _segment.Position == number * Control.SegmentBytes)
        {
            return true;
        }

        if (!Segments.IsOpen(number))
        {
            if (number < Segments.First)
            {
                throw new MessagesDeletedException(Control.Directory, position, Segments.First * Control.SegmentBytes);
            }

            return false;
        }

        var next = Segments.Map(number);
        _segment.Release();
        _segment = next;
        return true;
    }

    /// <summary>Makes a committed record, whose length is valid, the one at hand, if that needs no check that can fail.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected bool TryDeliver(byte* record, long position, uint bytes)
    {
        var payloadBytes = *(uint*)(record + RecordWord.PayloadBytesOffset);
        if (_hasChecksums || payloadBytes > bytes - RecordWord.HeaderBytes)
        {
            return false;
        }

        SetTaken(record, position, bytes, (int)payloadBytes);
        return true;
    }

    /// <summary>Makes a committed record, whose length is valid, the one at hand.</summary>
    /// <exception cref="QueueCorruptedException">It is damaged.</exception>
    protected void Deliver(byte* record, long position, uint bytes) => SetTaken(record, position, bytes, Segments.RequireWhole(record, position, bytes));

    /// <summary>Makes a message that a dead member had taken the one at hand.</summary>
    protected void Deliver(in LeftMessage message)
    {
        SetTaken(message.Start, message.Position, message.Bytes, message.PayloadBytes);
        IsRedelivered = true;
    }

    /// <summary>
    /// Looks at a word that is neither committed nor padding. When it is the reservation of a dead producer it becomes padding.
    /// </summary>
    /// <returns>True when the record should be looked at again.</returns>
    protected bool TryResolve(in Segment segment, long position, ulong word)
    {
        Segments.RequireUnfinished(segment, position, word);
        return RecordWord.State(word) == RecordWord.Reserved && Suspicion.TryResolve(segment, position, word);
    }

    /// <summary>Requires padding of a valid length to be what was written as padding.</summary>
    protected void RequirePadding(byte* record, long position, ulong word)
    {
        if (_hasChecksums && !RecordChecksum.IsWhole(record, position, word, Segment.Position + Control.SegmentBytes - position))
        {
            throw new QueueCorruptedException(Segments.PathOf(position), position, "the padding does not have the checksum that it was written with");
        }
    }

    /// <summary>Requires a cursor's position to be one where a record can be.</summary>
    protected void RequirePossible(long position)
    {
        if (position < 0 || position % RecordWord.Alignment != 0 || position / Control.SegmentBytes > Segments.Count)
        {
            throw new QueueCorruptedException(Control.Path, Control.OffsetOf(Cursor), $"the cursor stands at {position}, where no record can be");
        }
    }

    protected void CountFinished()
    {
        Me->Messages++;
        Me->PayloadBytes += _payloadBytes;
    }

    private bool LookOrExit()
    {
        var isTaken = false;
        try
        {
            return isTaken = TryTakeNow();
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
            return isTaken = (timeout == TimeSpan.Zero ? TryTakeNow() : TryTakeFurther()) || Await(timeout, cancellationToken);
        }
        finally
        {
            if (!isTaken)
            {
                Exit();
            }
        }
    }

    // Who does not wait may take false for "there is nothing": what a dead producer left unfinished must not hide what is behind it.
    private bool TryTakeNow()
    {
        do
        {
            Suspicion.BeginLook();
            if (TryTakeFurther())
            {
                return true;
            }
        }
        while (Suspicion.TryHasten());

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void SetTaken(byte* record, long position, uint bytes, int payloadBytes)
    {
        _payload = record + RecordWord.HeaderBytes;
        _payloadBytes = payloadBytes;
        TakenPosition = position;
        TakenBytes = bytes;
    }

    [DoesNotReturn]
    private void ThrowNoValue(int size) =>
        throw new QueueCorruptedException(Segments.PathOf(TakenPosition), TakenPosition, $"the record holds {_payloadBytes} bytes instead of a value of {size}");
}
