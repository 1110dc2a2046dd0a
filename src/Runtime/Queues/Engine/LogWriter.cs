using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A producer's engine: reserves a record, and publishes it. A record is reserved before its first payload byte is written, so that others
/// know how much a dead producer left unfinished, and whose it is.
/// </summary>
internal abstract unsafe partial class LogWriter : IWaitingEngine, IDisposable
{
    private readonly SegmentOpener _opener;
    private readonly WaitLadder _waits;
    private readonly bool _hasChecksums;
    private readonly IntervalFlusher? _intervalFlusher;
    private UseGate _gate;
    private int _unflushedMessages;
    private uint _wantedBytes;
    private long _wantedSegment;

    protected LogWriter(ControlFile control, Seat seat)
    {
        Control = control;
        Segments = control.Segments;
        SegmentBytes = control.SegmentBytes;
        Participant = new Participant(control, seat);
        Me = Participant.Me;
        Records = WakeSignal.ForRecords(control);
        Space = WakeSignal.ForSpace(control);
        Suspicion = new Suspicion(control);
        _waits = new WaitLadder(this, Space, seat.Slot, control.SpaceWaits);
        _opener = new SegmentOpener(seat.Slot, Suspicion);
        _hasChecksums = control.HasChecksums;
        _intervalFlusher = control.IntervalFlusher;
        MaxPayloadBytes = (int)Math.Min(RecordWord.MaxPayloadBytes(control.SegmentBytes), int.MaxValue);
    }

    public int MaxPayloadBytes { get; }

    public string ObjectName => "MessageProducer";

    public bool IsDisposed => _gate.IsDisposed;

    /// <summary>What the metrics observe.</summary>
    public Participant Participant { get; }

    /// <summary>How long the producer may sleep without looking.</summary>
    public TimeSpan LongestSleep => Suspicion.LongestSleep;

    protected ControlFile Control { get; }

    protected SegmentStore Segments { get; }

    protected long SegmentBytes { get; }

    /// <summary>This producer's number.</summary>
    protected int Slot => Participant.Slot;

    /// <summary>This producer's slot of the control file.</summary>
    protected ParticipantSlot* Me { get; }

    /// <summary>What consumers sleep on.</summary>
    protected WakeSignal Records { get; }

    /// <summary>What producers sleep on.</summary>
    protected WakeSignal Space { get; }

    /// <summary>About the owner of what this producer is blocked on.</summary>
    protected Suspicion Suspicion { get; }

    /// <summary>The record that is reserved; null when none is.</summary>
    protected byte* Reserved { get; set; }

    /// <summary>Position of a record of the mapped segment = its address + this.</summary>
    protected long Origin { get; set; }

    /// <summary>Opens the engine of a queue's kind.</summary>
    public static LogWriter Open(ControlFile control, Seat seat)
    {
        LogWriter writer = control.Producers == ProducerMode.Single ? new SingleWriter(control, seat) : new ManyWriter(control, seat);
        control.IntervalFlusher?.AddProducer();
        return writer;
    }

    /// <summary>Reserves a record and waits for room if need be; until it is committed or abandoned the producer is in use.</summary>
    /// <param name="payloadBytes">Bytes of payload the record must hold.</param>
    /// <param name="timeout">How long to wait for room.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="use">Names this use.</param>
    /// <returns>The payload, aligned to 16 bytes; null when there was no room in that time.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Reserve(int payloadBytes, TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        use = _gate.Enter(this);
        if ((uint)payloadBytes > (uint)MaxPayloadBytes)
        {
            RefuseSize(payloadBytes);
        }

        return TryReserve(RecordWord.RecordBytes(payloadBytes)) || AwaitRoom(RecordWord.RecordBytes(payloadBytes), timeout, cancellationToken)
            ? Reserved + RecordWord.HeaderBytes
            : null;
    }

    /// <summary>Publishes the reserved record with a part of its payload.</summary>
    /// <param name="use">Must be the open one.</param>
    /// <param name="payload">The payload, as it was reserved.</param>
    /// <param name="payloadBytes">Bytes of payload that were used.</param>
    /// <param name="reservedPayloadBytes">Bytes of payload that were reserved.</param>
    /// <returns>The record's position.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Commit(long use, byte* payload, int payloadBytes, int reservedPayloadBytes)
    {
        Require(use);
        var record = payload - RecordWord.HeaderBytes;
        var bytes = RecordWord.RecordBytes(payloadBytes);
        if (payloadBytes != reservedPayloadBytes)
        {
            RequirePart(payloadBytes, reservedPayloadBytes);
            Shorten(record, bytes, RecordWord.RecordBytes(reservedPayloadBytes));
            FaultPoints.Hit(FaultPoint.AfterShorten);
        }

        var position = Origin + (long)record;

        var word = RecordWord.Compose(RecordWord.Committed, Slot, bytes);

        // One store for the payload's size and the checksum.
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = (uint)payloadBytes | (_hasChecksums ? Checksum(record, position, word, payloadBytes) : 0);
        FaultPoints.Hit(FaultPoint.BeforePublish);
        Volatile.Write(ref *(ulong*)record, word);
        FaultPoints.Hit(FaultPoint.AfterPublish);
        Reserved = null;
        Me->Messages++;
        Me->PayloadBytes += payloadBytes;
        Records.WakeWaiters();
        if (_hasChecksums)
        {
            Flush(position);
        }

        _gate.Exit(this);
        return position;
    }

    /// <summary>Requires a claim to be open.</summary>
    /// <exception cref="ObjectDisposedException">It is closed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Require(long use)
    {
        if (!_gate.IsOpen(use))
        {
            ThrowClosed();
        }
    }

    /// <summary>Turns the reserved record into padding, unless it was committed before.</summary>
    public void Abandon(long use)
    {
        if (_gate.IsOpen(use))
        {
            Rollback();
            _gate.Exit(this);
        }
    }

    /// <summary>Closes the producer, or lets the use that is open close it.</summary>
    public void Dispose() => _gate.Dispose(this);

    public virtual void Close()
    {
        _intervalFlusher?.RemoveProducer();
        Participant.Leave();
        Control.Release();
    }

    public void OnDisposedInUse()
    {
        if (Control.TryAddReference())
        {
            Space.WakeAll();
            Control.Release();
        }
    }

    public void BeginLook() => Suspicion.BeginLook();

    public int FirstPause(int looksOfLastSpin) => 1;

    public bool TryProceed() => Reserved is not null || TryReserveSlow(_wantedBytes);

    public bool IsReady() => TryOpen(_wantedSegment);

    public void Rollback()
    {
        if (Reserved is not null)
        {
            var bytes = RecordWord.Bytes(*(ulong*)Reserved);
            StorePadding(Reserved, bytes);
            FaultPoints.Hit(FaultPoint.AfterAbandon);
            Reserved = null;
        }
    }

    /// <summary>Reserves a record where that takes one step.</summary>
    protected abstract bool TryReserve(uint bytes);

    /// <summary>Reserves a record, walks, and enters or opens segments for it; false when there is no room.</summary>
    protected abstract bool TryReserveSlow(uint bytes);

    /// <summary>Gives back what follows a record's used part, before the shorter record becomes visible.</summary>
    protected abstract void Shorten(byte* record, uint bytes, uint reservedBytes);

    /// <summary>Opens a segment unless it is open; false when there is no room for it yet.</summary>
    protected bool TryOpen(long segment)
    {
        if (Segments.IsOpen(segment))
        {
            return true;
        }

        _wantedSegment = segment;
        var isOpen = Segments.TryOpen(segment, _opener);
        if (isOpen)
        {
            // Other producers wait for the same.
            Space.WakeWaiters();
        }

        return isOpen;
    }

    /// <summary>Makes a record of this producer padding; its bytes are unfinished, or not in use yet.</summary>
    protected void StorePadding(byte* record, uint bytes)
    {
        var word = RecordWord.Compose(RecordWord.Padding, Slot, bytes);
        if (_hasChecksums)
        {
            RecordChecksum.SealPadding(record, Origin + (long)record, word);
        }

        Volatile.Write(ref *(ulong*)record, word);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AwaitRoom(uint bytes, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var isReserved = false;
        try
        {
            WaitLadder.RequireTimeout(timeout);
            _wantedBytes = bytes;
            isReserved = TryReserveSlow(bytes);
            if (!isReserved && timeout != TimeSpan.Zero)
            {
                CountWait();
                isReserved = _waits.Await(timeout, cancellationToken);
            }

            return isReserved;
        }
        finally
        {
            if (!isReserved)
            {
                _gate.Exit(this);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong Checksum(byte* record, long position, ulong word, int payloadBytes) =>
        (ulong)RecordChecksum.Of(position, word, new ReadOnlySpan<byte>(record + RecordWord.HeaderBytes, payloadBytes)) << 32;

    /// <summary>Does for a message that was just published what the queue's flush mode says.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Flush(long position)
    {
        try
        {
            if (_intervalFlusher is not null)
            {
                _intervalFlusher.Count(ref _unflushedMessages);
                return;
            }

            var spin = new SpinWait();
            while (!Control.Flusher.TryFlushThrough(position, Suspicion))
            {
                // Another producer is still writing a record in front of this one.
                if (_gate.IsDisposed)
                {
                    UseGate.ThrowDisposed(this);
                }

                spin.SpinOnce();
            }
        }
        catch
        {
            _gate.Exit(this);
            throw;
        }
    }

    private void CountWait() => Interlocked.Increment(ref Control.Header->SpaceWaits);

    private void RequirePart(int payloadBytes, int reservedPayloadBytes)
    {
        if ((uint)payloadBytes > (uint)reservedPayloadBytes)
        {
            throw new ArgumentOutOfRangeException(
                nameof(payloadBytes), payloadBytes, $"The claim has {reservedPayloadBytes} bytes; commit between 0 and that many.");
        }
    }

    [DoesNotReturn]
    private void RefuseSize(int payloadBytes)
    {
        _gate.Exit(this);
        ArgumentOutOfRangeException.ThrowIfNegative(payloadBytes);
        throw new MessageTooLargeException(
            $"A message of {payloadBytes} bytes does not fit: a segment of this queue holds {MaxPayloadBytes} at most. " +
            $"Create the queue with larger segments (MessageQueueOptions.SegmentBytes, up to {QueueGeometry.MaxSegmentBytes}), or send the message in parts.",
            payloadBytes,
            MaxPayloadBytes);
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(ObjectName, "This claim is closed: it was committed or disposed. Claim again for another message.");
}
