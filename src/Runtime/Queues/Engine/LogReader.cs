using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The engine of consumers and readers: takes records, waits for them, and hands out one delivery at a time. A delivery has a number, and is closed
/// when another one is open.
/// </summary>
/// <remarks>
/// The payload's place is one word, an offset and a length within a segment; the segment's first byte is another. Every segment has the same
/// length, and a mapped range stays memory. A payload is therefore in mapped memory even if threads share the reader by mistake.
/// </remarks>
internal abstract unsafe partial class LogReader : IWaitingEngine
{
    /// <summary>The number that is never that of a delivery.</summary>
    public const long NoDelivery = -1;

    private readonly bool _hasChecksums;
    private readonly WaitLadder _waits;
    private UseGate _gate;
    private Segment _segment;

    // The payload of the current record: bits 0-31 its length, bits 32-63 its offset in the segment, in units of 16.
    private ulong _payload;

    // Odd while a delivery is open. Each delivery adds two: it is open at the first, and closed at the second or by the next one.
    private long _number;
    private long _numberAtLastWait;
    private long _positionAtLastWait;
    private ReadPace _pace;

    /// <param name="queue">The queue, which the reader releases when it is closed.</param>
    /// <param name="records">The signal that wakes the reader.</param>
    /// <param name="slot">The participant's number, for a signal that counts its waiters.</param>
    /// <param name="asyncWaits">The reader's asynchronous waits.</param>
    /// <param name="options">How the reader waits.</param>
    protected LogReader(QueueHandle queue, WakeSignal records, int slot, AsyncWaits asyncWaits, ConsumerOptions options)
    {
        var control = queue.Control;
        Control = control;
        Segments = queue.Segments;
        Records = records;
        Probe = new LivenessProbe(control);
        _waits = new WaitLadder(this, records, slot, asyncWaits, options.Wait);
        _pace = new ReadPace(options.MaxDelay, control.Mode == QueueMode.Bounded ? control.Slots * control.SegmentBytes : null);
        _hasChecksums = control.HasChecksums;
        SegmentBytes = control.SegmentBytes;
    }

    public abstract string ObjectName { get; }

    public bool IsDisposed => _gate.IsDisposed;

    public StaleQueueException? Loss => Control.Loss;

    /// <summary>The number of the open delivery; while none is open, <see cref="NoDelivery"/>, which no delivery ever has.</summary>
    public long Number => IsDelivering ? _number : NoDelivery;

    /// <summary>How long the reader may sleep before it looks again.</summary>
    public virtual TimeSpan LongestSleep => Probe.LongestSleep;

    protected ControlMap Control { get; }

    protected SegmentStore Segments { get; }

    protected long SegmentBytes { get; }

    /// <summary>The signal on which the reader sleeps.</summary>
    protected WakeSignal Records { get; }

    /// <summary>The liveness probe for the owner of a blocking record.</summary>
    protected LivenessProbe Probe { get; }

    /// <summary>A delivery is open.</summary>
    protected bool IsDelivering => (_number & 1) != 0;

    /// <summary>The first byte of the segment with the next record. It never becomes null again.</summary>
    protected byte* Start { get; private set; }

    /// <summary>The position of <see cref="Start"/>.</summary>
    protected long Origin { get; private set; }

    /// <summary>The offset of the current record in its segment.</summary>
    protected long TakenOffset => ((long)(_payload >> 32) * RecordWord.Alignment) - RecordWord.HeaderBytes;

    /// <summary>The position of the current record.</summary>
    protected long TakenPosition => Origin + TakenOffset;

    /// <summary>The length of the current record; 0 if there is none.</summary>
    protected uint TakenBytes { get; set; }

    /// <summary>Bytes of payload of the current record.</summary>
    protected int PayloadBytes => (int)(uint)_payload;

    /// <summary>The segment that is mapped.</summary>
    protected ref readonly Segment Segment => ref _segment;

    /// <summary>The current record may have been delivered before.</summary>
    protected abstract bool IsRedelivered { get; }

    /// <summary>The position of the next message that is not committed; for a reader, of the next one to read.</summary>
    protected abstract long Position { get; }

    /// <summary>Takes the next record, and opens a delivery of it.</summary>
    /// <returns>The number of the delivery; <see cref="NoDelivery"/> if there is none within the timeout.</returns>
    public long Read(TimeSpan timeout, CancellationToken cancellationToken)
    {
        WaitLadder.RequireTimeout(timeout);
        BeginRead();
        return TryTake() ? OpenDelivery() : ReadSlow(timeout, cancellationToken);
    }

    /// <summary>The position of the next message that is not committed; for a reader, of the next one to read.</summary>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long GetPosition()
    {
        // The reference keeps the mapping alive during the call, even if the reader is disposed at the same time.
        if (IsDisposed || !Control.TryAddReference())
        {
            UseGate.ThrowDisposed(this);
        }

        var position = Position;
        Control.Release();
        return position;
    }

    /// <summary>Commits a record and everything before it.</summary>
    public abstract void CommitThrough(long position);

    /// <summary>Moves to another position.</summary>
    /// <returns>The previous position.</returns>
    public abstract long Seek(QueueStart start);

    /// <summary>Closes the reader, or lets the use that is open close it.</summary>
    public void Dispose() => _gate.Dispose(this);

    public virtual void Close()
    {
        _segment.Dispose();
        Control.Release();
    }

    public void OnDisposedInUse()
    {
        if (Control.TryAddReference())
        {
            Volatile.Write(ref _isStopped, true);
            if (!Control.IsCut)
            {
                Records.WakeAll();
            }

            Control.Release();
        }
    }

    public void BeginLook() => Probe.BeginLook();

    public int FirstPause()
    {
        var (number, position) = (_number, Position);
        var pause = _pace.Next((number - _numberAtLastWait) / 2, position - _positionAtLastWait);
        _numberAtLastWait = number;
        _positionAtLastWait = position;
        return pause;
    }

    public bool TryProceed() => TakenBytes != 0 || TryTakeSlow();

    public bool IsReady() => TryProceed();

    /// <summary>Makes the current record, if there is one, the next one again.</summary>
    public abstract void Rollback();

    /// <summary>Takes the next record if that takes one step.</summary>
    protected abstract bool TryTake();

    /// <summary>Takes the next record; steps over padding and segment ends, and acts for dead participants. False if there is none yet.</summary>
    protected abstract bool TryTakeSlow();

    /// <summary>Commits the current record.</summary>
    protected abstract void Finish();

    /// <summary>Prepares to take the next record while a delivery is open.</summary>
    protected abstract void ReadOn();

    /// <summary>Maps the segment of a position, if it is open.</summary>
    protected bool TryEnter(long position)
    {
        var number = position / SegmentBytes;
        if (_segment.IsMapped && _segment.Position == number * SegmentBytes)
        {
            return true;
        }

        if (!Segments.IsOpen(number))
        {
            if (number < Segments.First)
            {
                throw new MessagesDeletedException(Control.Directory, position, Segments.First * SegmentBytes);
            }

            return false;
        }

        var next = Segments.Map(number);
        _segment.Dispose();
        _segment = next;
        return true;
    }

    /// <summary>Requires an offset to be within a segment.</summary>
    protected long RequireOffset(long offset)
    {
        if ((ulong)offset >= (ulong)SegmentBytes)
        {
            UseGate.ThrowInUse();
        }

        return offset;
    }

    /// <summary>Releases the mapped segment.</summary>
    protected void LeaveSegment()
    {
        _segment.Dispose();
        _segment = default;
    }

    /// <summary>Continues in another segment, or in a copy of one.</summary>
    protected void Rebase(byte* start, long origin)
    {
        Start = start;
        Origin = origin;
    }

    /// <summary>Makes a committed record with a valid length the current one, if that needs no check that can fail.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected bool TryDeliver(byte* record, long offset, uint bytes)
    {
        Debug.Assert(bytes >= RecordWord.HeaderBytes, "The length of the record is checked.");
        var payloadBytes = *(uint*)(record + RecordWord.PayloadBytesOffset);
        if (_hasChecksums || payloadBytes > bytes - RecordWord.HeaderBytes)
        {
            return false;
        }

        SetTaken(offset, bytes, payloadBytes);
        return true;
    }

    /// <summary>Makes a committed record with a valid length the current one.</summary>
    /// <exception cref="QueueCorruptedException">It is damaged.</exception>
    protected void Deliver(byte* record, long offset, uint bytes) => SetTaken(offset, bytes, (uint)Segments.RequireWhole(record, Origin + offset, bytes));

    /// <summary>Makes a record whose length and payload were checked the current one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void SetTaken(long offset, uint bytes, uint payloadBytes)
    {
        Debug.Assert(offset >= 0 && offset % RecordWord.Alignment == 0, "A record is aligned in its segment.");
        Debug.Assert(bytes >= RecordWord.HeaderBytes && payloadBytes <= bytes - RecordWord.HeaderBytes, "The payload lies within its record.");
        _payload = PayloadAt(offset, payloadBytes);
        TakenBytes = bytes;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong PayloadAt(long offset, uint bytes) => (((ulong)offset + RecordWord.HeaderBytes) << (32 - RecordWord.AlignmentBits)) | bytes;

    /// <summary>Begins a use that is not a delivery.</summary>
    protected void BeginUse() => _gate.Enter(this);

    /// <summary>Ends the open use.</summary>
    protected void EndUse() => _gate.Exit(this);

    /// <summary>
    /// Checks a word that is neither committed nor padding. The reservation of a dead producer becomes padding.
    /// </summary>
    /// <returns>True if the record should be looked at again.</returns>
    protected bool TryResolve(in Segment segment, long position, ulong word)
    {
        Segments.RequireUnfinished(segment, position, word);
        return RecordWord.State(word) == RecordWord.Reserved && Segments.TryResolve(segment, position, word, Probe);
    }

    private void BeginRead()
    {
        if (!IsDelivering)
        {
            _gate.Enter(this);
        }
        else
        {
            RequireNoLoop();
            ReadOn();
            if (IsDisposed)
            {
                _gate.Exit(this);
                UseGate.ThrowDisposed(this);
            }
        }
    }

    private long ReadSlow(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var isTaken = false;
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            isTaken = timeout == TimeSpan.Zero ? TryTakeNow() : TryTakeSlow() || _waits.Await(timeout, cancellationToken);
        }
        finally
        {
            if (!isTaken)
            {
                _gate.Exit(this);
            }
        }

        return isTaken ? OpenDelivery() : NoDelivery;
    }

    // A non-blocking read returning false means "queue empty" to its caller, so first resolve any abandoned reservation that would hide later
    // records.
    private bool TryTakeNow()
    {
        do
        {
            Probe.BeginLook();
            if (TryTakeSlow())
            {
                return true;
            }
        }
        while (Probe.TryProbeNow());

        return false;
    }
}
