using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A producer's engine: reserves a record, and publishes it. A record is reserved before its first payload byte is written, so that the length
/// and the owner of a dead producer's unfinished record are known.
/// </summary>
internal abstract unsafe partial class LogWriter : IWaitingEngine
{
    private readonly SegmentOpener _opener;
    private readonly WaitLadder _waits;
    private readonly bool _hasChecksums;
    private readonly Flusher _flusher;
    private readonly IntervalFlusher? _intervalFlusher;
    private readonly SharedRecord<ParticipantSlot> _me;
    private readonly PropertyEncoder _properties;
    private readonly PublishSpan _span;
    private UseGate _gate;
    private int _unflushedMessages;
    private uint _wantedBytes;
    private long _wantedSegment;

    // Bytes of the properties of the reserved record.
    private int _propertyBytes;

    protected LogWriter(QueueHandle queue, Membership membership, ProducerOptions options)
    {
        var control = queue.Control;
        Control = control;
        Segments = queue.Segments;
        SegmentBytes = control.SegmentBytes;
        Participant = new Participant(queue, membership);
        Slot = membership.Slot;
        _me = control.ParticipantRecord(membership.Slot);
        Records = WakeSignal.ForRecords(control);
        Space = WakeSignal.ForSpace(control);
        Probe = new LivenessProbe(control);
        _waits = new WaitLadder(this, Space, membership.Slot, queue.SpaceWaits, options.Wait);
        _opener = new SegmentOpener(membership.Slot, Probe);
        _hasChecksums = control.HasChecksums;
        _span = new PublishSpan(Path.GetFileName(control.Directory));
        _properties = new PropertyEncoder(options, _span);
        _flusher = queue.Flusher;
        _intervalFlusher = queue.IntervalFlusher;
        MaxPayloadBytes = (int)Math.Min(control.SegmentBytes - SegmentHeader.Bytes - RecordWord.HeaderBytes, int.MaxValue);
    }

    public int MaxPayloadBytes { get; }

    public string ObjectName => "MessageProducer";

    public bool IsDisposed => _gate.IsDisposed;

    public StaleQueueException? Loss => Control.Loss;

    /// <summary>Whether each message has properties.</summary>
    public bool IsStamping => _properties.IsStamping;

    /// <summary>The participant that the metrics observe.</summary>
    public Participant Participant { get; }

    /// <summary>How long the producer may sleep before it looks again.</summary>
    public TimeSpan LongestSleep => Probe.LongestSleep;

    protected ControlMap Control { get; }

    protected SegmentStore Segments { get; }

    protected long SegmentBytes { get; }

    /// <summary>This producer's number.</summary>
    protected int Slot { get; }

    /// <summary>This producer's slot of the control file.</summary>
    protected ref ParticipantSlot Me => ref _me.Value;

    /// <summary>The signal on which consumers sleep.</summary>
    protected WakeSignal Records { get; }

    /// <summary>The signal on which producers sleep.</summary>
    protected WakeSignal Space { get; }

    /// <summary>The liveness probe for the owner of a blocking record or segment.</summary>
    protected LivenessProbe Probe { get; }

    /// <summary>The record that is reserved; null when none is.</summary>
    protected byte* Reserved { get; set; }

    /// <summary>Position of a record of the mapped segment = its address + this.</summary>
    protected long Origin { get; set; }

    /// <summary>Opens the engine for a queue's producer mode.</summary>
    public static LogWriter Open(QueueHandle queue, Membership membership, ProducerOptions options)
    {
        queue.IntervalFlusher?.AddProducer();
        try
        {
            return queue.Control.Producers == ProducerMode.Single ? new ExclusiveLogWriter(queue, membership, options) : new SharedLogWriter(queue, membership, options);
        }
        catch
        {
            queue.IntervalFlusher?.ForgetProducer();
            throw;
        }
    }

    /// <summary>Reserves a record, waiting for room if necessary. The producer is in use until the record is committed or abandoned.</summary>
    /// <param name="payloadBytes">Bytes of payload the record must hold.</param>
    /// <param name="timeout">How long to wait for room.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <param name="use">The number of this use.</param>
    /// <returns>The payload, aligned to 16 bytes; null if there was no room within the timeout.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Reserve(int payloadBytes, TimeSpan timeout, CancellationToken cancellationToken, out long use)
    {
        WaitLadder.RequireTimeout(timeout);
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
    /// <param name="use">The number of the open use.</param>
    /// <param name="payload">The payload, as it was reserved.</param>
    /// <param name="payloadBytes">Bytes of payload that were used.</param>
    /// <param name="reservedPayloadBytes">Bytes of payload that were reserved.</param>
    /// <returns>The record's position.</returns>
    public long Commit(long use, byte* payload, int payloadBytes, int reservedPayloadBytes) => _propertyBytes == 0
        ? Commit(use, payload, payloadBytes, reservedPayloadBytes, propertyBytes: 0) : CommitWithProperties(use, payload, payloadBytes, reservedPayloadBytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Commit(long use, byte* payload, int payloadBytes, int reservedPayloadBytes, int propertyBytes)
    {
        Require(use);
        var record = payload - RecordWord.HeaderBytes;
        var bytes = RecordWord.RecordBytes(payloadBytes);
        if (propertyBytes != 0)
        {
            bytes = RecordWord.RecordBytes(payloadBytes, propertyBytes);
        }

        if (payloadBytes != reservedPayloadBytes)
        {
            RequirePart(payloadBytes, reservedPayloadBytes);
            Shorten(record, bytes, RecordWord.RecordBytes(reservedPayloadBytes, propertyBytes));
            FaultPoints.Hit(FaultPoint.AfterShorten);
        }

        var position = Origin + (long)record;
        var word = RecordWord.Compose(RecordWord.Committed, Slot, bytes);
        if (propertyBytes != 0)
        {
            WriteProperties(record + bytes, position);
            word |= RecordWord.HasProperties;
        }

        Reserved = null;
        Publish(record, position, word, payloadBytes);
        _gate.Exit(this);
        return position;
    }

    /// <summary>Stores the header of a record whose payload is written: with its last store the message is visible.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Publish(byte* record, long position, ulong word, int payloadBytes)
    {
        // One store for the payload's size and the checksum.
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = (uint)payloadBytes | (_hasChecksums ? Checksum(record, position, word, payloadBytes) : 0);
        FaultPoints.Hit(FaultPoint.BeforePublish);
        Volatile.Write(ref *(ulong*)record, word);
        FaultPoints.Hit(FaultPoint.AfterPublish);
        ref var me = ref Me;
        me.Messages++;
        me.PayloadBytes += payloadBytes;
        Records.WakeWaiters();
        if (_hasChecksums)
        {
            Flush(position, messages: 1);
        }
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
            EndUnpublished();
        }
    }

    /// <summary>Closes the producer, or lets the use that is open close it.</summary>
    public void Dispose() => _gate.Dispose(this);

    public virtual void Close()
    {
        _intervalFlusher?.RemoveProducer();
        Segments.Leave(Slot);
        Participant.Leave();
        Control.Release();
    }

    public void OnDisposedInUse()
    {
        if (Control.TryAddReference())
        {
            if (!Control.IsCut)
            {
                Space.WakeAll();
            }

            Control.Release();
        }
    }

    public void BeginLook() => Probe.BeginLook();

    public int FirstPause() => 1;

    public bool TryProceed() => Reserved is not null || TryReserveSlow(_wantedBytes);

    public void Rollback()
    {
        if (Reserved is not null)
        {
            var bytes = RecordWord.Bytes(*(ulong*)Reserved);
            StorePadding(Reserved, bytes);
            FaultPoints.Hit(FaultPoint.AfterAbandon);
            Reserved = null;
            _propertyBytes = 0;
        }
    }

    /// <summary>Begins a use without a reservation.</summary>
    /// <returns>Its number.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected long BeginUse() => _gate.Enter(this);

    /// <summary>Ends the open use.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void EndUse() => _gate.Exit(this);

    /// <summary>Reserves a record if that takes one step.</summary>
    protected abstract bool TryReserve(uint bytes);

    /// <summary>Reserves a record, walks, and enters or opens segments for it; false if there is no room.</summary>
    protected abstract bool TryReserveSlow(uint bytes);

    /// <summary>Gives back the unused bytes of a record, before the shorter record becomes visible.</summary>
    protected abstract void Shorten(byte* record, uint bytes, uint reservedBytes);

    /// <summary>Opens a segment unless it is open; false if there is no room for it yet.</summary>
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
            // Other producers wait for the same segment.
            Space.WakeWaiters();
        }

        return isOpen;
    }

    /// <summary>Turns a record of this producer into padding; its bytes are unfinished or not yet in use.</summary>
    protected void StorePadding(byte* record, uint bytes) => StorePadding(record, Origin + (long)record, bytes);

    /// <inheritdoc cref="StorePadding(byte*, uint)"/>
    protected void StorePadding(byte* record, long position, uint bytes)
    {
        var word = RecordWord.Compose(RecordWord.Padding, Slot, bytes);
        if (_hasChecksums)
        {
            RecordChecksum.SealPadding(record, position, word);
        }

        Volatile.Write(ref *(ulong*)record, word);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong Checksum(byte* record, long position, ulong word, int payloadBytes) => (ulong)RecordChecksum.Of(position, word, new ReadOnlySpan<byte>(record + RecordWord.HeaderBytes, payloadBytes)) << 32;

    /// <summary>Flushes messages that were just published by one store, as the queue's flush mode requires.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Flush(long position, int messages)
    {
        try
        {
            if (_intervalFlusher is not null)
            {
                _intervalFlusher.Count(ref _unflushedMessages, messages);
                return;
            }

            var spin = new SpinWait();
            while (!_flusher.TryFlushMessage(position, Probe))
            {
                // Another producer is still writing an earlier record. The message is published, so a disposal must not look like a failed publish.
                if (_gate.IsDisposed)
                {
                    var cause = new ObjectDisposedException(objectName: null, "The producer was disposed while an earlier message was still being written.");
                    throw Loss ?? (Exception)new FlushFailedException(Control.Directory, Control.DurablePosition, cause);
                }

                spin.SpinOnce();
            }
        }
        catch (Exception exception)
        {
            _gate.Exit(this);
            _span.Fail(exception);
            throw;
        }
    }

    private static void RequirePart(int usedBytes, int claimedBytes)
    {
        if ((uint)usedBytes > (uint)claimedBytes)
        {
            throw new ArgumentOutOfRangeException(nameof(usedBytes), usedBytes, $"The claim has {claimedBytes} bytes; commit between 0 and that many.");
        }
    }

    /// <summary>Ends a use that published nothing. A use that is left open would hold up the producer forever.</summary>
    private void EndUnpublished()
    {
        _gate.Exit(this);
        _span.Drop();
    }

    [DoesNotReturn]
    private void RefuseSize(int payloadBytes)
    {
        EndUnpublished();
        throw new MessageTooLargeException(
            $"A message of {payloadBytes} bytes, with its properties, does not fit: a segment of this queue holds {MaxPayloadBytes} at most. " +
            $"Create the queue with larger segments (MessageQueueOptions.SegmentBytes, up to {QueueGeometry.MaxSegmentBytes}), or send the message in parts.",
            payloadBytes,
            MaxPayloadBytes);
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(ObjectName, "This claim is closed: it was committed or disposed. Claim again for another message.");
}
