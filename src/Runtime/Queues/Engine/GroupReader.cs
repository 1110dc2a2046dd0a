using System.Runtime.CompilerServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The engine of a group's member. Members compete for the records at the group's claim word. A member keeps its record in its own in-flight
/// word until the commit, so that others can deliver the message again if the member dies.
/// <code>
/// take  1 P = claim   2 in flight = P, tentative; fence   3 claim changed: again   4 read the record at P, which the announcement keeps
///       5 in flight = P, confirmed   6 compare-and-swap claim P -> its end; lost: again   7 padding: again
/// </code>
/// </summary>
internal sealed class GroupReader : ConsumerReader
{
    // A member that is never idle probes the others after this many messages.
    private const int TakesBetweenLooks = 64;

    // The next records are loaded in windows of this many bytes.
    private const int WindowBytes = 2048;

    private readonly SharedRecord<long> _claim;
    private readonly InFlightTakeover _takeover;

    // The messages before this position were delivered to members before a crash of the machine.
    private readonly long _redeliveredThrough;
    private int _takes;

    // The beginning of the last loaded window; it is only compared with.
    private nint _window;

    // A record that was taken but not committed is the next one again.
    private uint _pendingBytes;

    // The current record was taken over from a dead member.
    private bool _isRedelivered;

    public GroupReader(QueueHandle queue, Membership membership, ConsumerOptions options)
        : base(queue, membership, options)
    {
        _claim = SharedRecord<long>.Of(ref CursorRecord.Position);
        _redeliveredThrough = CursorRecord.ReadPosition;
        if (_claim.Value < _redeliveredThrough)
        {
            NoteRedeliveries();
        }

        LeaveOrigin();
        _takeover = new InFlightTakeover(Segments, membership);
        if (Me.InFlight != InFlight.None && _takeover.TryTakeOverSlot(out var message))
        {
            // It is read first: its word cannot announce another record until this one is committed.
            Deliver(message);
            Rollback();
        }
    }

    public override TimeSpan LongestSleep
    {
        get
        {
            var longest = base.LongestSleep;
            return longest < _takeover.LongestSleep ? longest : _takeover.LongestSleep;
        }
    }

    protected override bool IsRedelivered => _isRedelivered || TakenPosition < _redeliveredThrough;

    public override void CommitThrough(long position) => throw new InvalidOperationException(
        "A member of a group reads one message at a time, and commits only that one. Commit the delivery, or open an exclusive consumer.");

    public override void Rollback()
    {
        if (TakenBytes != 0)
        {
            _pendingBytes = TakenBytes;
            TakenBytes = 0;
        }
    }

    // An uncommitted message stays announced in the slot of this member or of the dead one, and another member delivers it.
    public override void Close()
    {
        _takeover.GiveUp();
        if (!Control.IsCut)
        {
            _takeover.NoteDone();
        }

        base.Close();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override bool TryTake() => ++_takes % TakesBetweenLooks != 0 && _pendingBytes == 0 && TryTakeNext() == Outcome.Taken;

    protected override bool TryTakeSlow()
    {
        if (_pendingBytes != 0)
        {
            TakenBytes = _pendingBytes;
            _pendingBytes = 0;
            return true;
        }

        if (_takeover.TryTakeOver(out var message))
        {
            Deliver(message);
            Segments.Events.Tell();
            return true;
        }

        Outcome outcome;
        do
        {
            outcome = TryTakeNext();
            if (outcome == Outcome.NeedsCare)
            {
                outcome = TakeWithCare();
            }
        }
        while (outcome == Outcome.Again);
        return outcome == Outcome.Taken;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override void Finish()
    {
        TakenBytes = 0;
        CountFinished();
        FaultPoints.Hit(FaultPoint.MemberFinishing);
        if (_isRedelivered)
        {
            _isRedelivered = false;
            _takeover.Finish();
            ReturnToSegment();
        }
        else
        {
            Withdraw(TakenPosition);
        }

        FaultPoints.Hit(FaultPoint.MemberFinished);
    }

    // The current message is announced in this member's only word.
    protected override void ReadOn() => UseGate.ThrowInUse();

    // An orphaned message is delivered even after a seek, which moves the name but not the messages in flight.
    protected override void MoveTo(long position)
    {
        Interlocked.Exchange(ref _claim.Value, position);
        _takeover.NoteDone();
        Records.WakeAll();
        if (_pendingBytes != 0 && !_isRedelivered)
        {
            _pendingBytes = 0;
            Volatile.Write(ref Me.InFlight, InFlight.None);
        }
    }

    /// <summary>Makes an orphaned message the current one.</summary>
    // SAFETY: The message holds its segment mapped until the delivery is closed.
    private unsafe void Deliver(in OrphanedMessage message)
    {
        Rebase(message.Start - message.Offset, message.Position - message.Offset);
        SetTaken(message.Offset, message.Bytes, (uint)message.PayloadBytes);
        _isRedelivered = true;
    }

    // An orphaned message may be in another segment.
    // SAFETY: The first byte of a mapped segment.
    private unsafe void ReturnToSegment()
    {
        if (Segment.IsMapped)
        {
            Rebase(Segment.At(Segment.Position), Segment.Position);
        }
        else
        {
            LeaveOrigin();
        }
    }

    // No position is in a segment that begins there.
    // SAFETY: The address stays that of mapped memory; only the origin changes, so no offset is valid.
    private unsafe void LeaveOrigin() => Rebase(Start, long.MinValue);

    /// <summary>Takes the record at the claim word if it is committed and whole, in the segment that is mapped.</summary>
    // SAFETY: Offsets are checked against the mapped segment, whose range stays memory.
    private unsafe Outcome TryTakeNext()
    {
        if (!TryAnnounce(out var position))
        {
            return Outcome.Again;
        }

        var offset = position - Origin;
        if ((ulong)offset >= (ulong)SegmentBytes || offset % RecordWord.Alignment != 0)
        {
            return Retract(position, Outcome.NeedsCare);
        }

        var record = Start + offset;
        var word = Volatile.Read(ref *(ulong*)record);
        var isWhole = RecordWord.IsReadable(word)
            && RecordWord.HasValidLength(word, SegmentBytes - offset)
            && TryDeliver(record, offset, RecordWord.Bytes(word));
        if (!isWhole)
        {
            return Retract(position, Outcome.NeedsCare);
        }

        LoadAhead(record + RecordWord.Bytes(word));
        return Claim(position, word);
    }

    // A locked instruction waits for the loads before it. Loaded record by record, cache lines would arrive one after the other; those of a window arrive together.
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe void LoadAhead(byte* next)
    {
        if ((nuint)((nint)next - _window) >= WindowBytes)
        {
            _window = (nint)next;
            ProcessorCache.Prefetch(next, WindowBytes);
        }
    }

    /// <summary>Takes the record at the claim word; maps segments, steps over padding and acts for dead participants as needed.</summary>
    private Outcome TakeWithCare()
    {
        if (!TryAnnounce(out var position))
        {
            return Outcome.Again;
        }

        var outcome = Outcome.Empty;
        try
        {
            outcome = Take(position);
        }
        finally
        {
            if (outcome != Outcome.Taken)
            {
                Retract(position, outcome);
            }
        }

        if (outcome == Outcome.Again)
        {
            // A dead producer's record may have been discarded.
            Segments.Events.Tell();
        }

        return outcome;
    }

    // SAFETY: The segment is mapped, and At checks the position.
    private unsafe Outcome Take(long position)
    {
        RequirePossible(position);
        if (!TryEnter(position))
        {
            return Outcome.Empty;
        }

        var offset = RequireOffset(position - Segment.Position);
        var record = Segment.At(position);
        Rebase(record - offset, position - offset);
        var word = Volatile.Read(ref *(ulong*)record);
        var hasValidLength = RecordWord.HasValidLength(word, SegmentBytes - offset);
        switch (RecordWord.State(word))
        {
            case RecordWord.Free or RecordWord.Reserved:
                // Still announced: the reservation cannot have become payload of a later lap.
                return TryResolve(Segment, position, word) ? Outcome.Again : Outcome.Empty;
            case RecordWord.Committed when hasValidLength:
                // A damaged record is refused before it is claimed, so that it stays the next one for every member.
                Deliver(record, offset, RecordWord.Bytes(word));
                return Claim(position, word);
            case RecordWord.Padding when hasValidLength:
                Segments.RequirePadding(record, position, word, Segment.Position + SegmentBytes - position);
                Claim(position, word);
                return Outcome.Again;
            default:
                SegmentStore.ThrowCorrupted(Segment, position, word);
                return Outcome.Empty;
        }
    }

    /// <summary>Announces the record at the claim word, so that its segment stays; false if the claim word has moved since.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryAnnounce(out long position)
    {
        position = Volatile.Read(ref _claim.Value);

        // The exchange is the fence between the announcement and the second look at the claim word.
        Interlocked.Exchange(ref Me.InFlight, InFlight.Tentative(position));
        FaultPoints.Hit(FaultPoint.MemberAnnounced);
        if (Volatile.Read(ref _claim.Value) == position)
        {
            return true;
        }

        Retract(position, Outcome.Again);
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Outcome Claim(long position, ulong word)
    {
        Volatile.Write(ref Me.InFlight, InFlight.Confirmed(position));
        FaultPoints.Hit(FaultPoint.MemberConfirmed);
        if (Interlocked.CompareExchange(ref _claim.Value, position + RecordWord.Bytes(word), position) == position)
        {
            FaultPoints.Hit(FaultPoint.MemberClaimed);
            return Outcome.Taken;
        }

        TakenBytes = 0;
        return Retract(position, Outcome.Again);
    }

    private Outcome Retract(long position, Outcome outcome)
    {
        Withdraw(position);
        return outcome;
    }

    /// <summary>
    /// Releases the record. Producers wait for whole segments, so they are woken only if the claim word has left the
    /// record's segment. Until then, the claim word itself holds the segment, and the member that takes its last record wakes them later.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Withdraw(long position)
    {
        Volatile.Write(ref Me.InFlight, InFlight.None);

        // If the claim word were read before the store is visible, it could hide that this record was the last one to hold the segment.
        ProcessFence.Light();
        if ((position ^ Volatile.Read(ref _claim.Value)) >= SegmentBytes)
        {
            Space.WakeWaiters();
        }
    }

    private enum Outcome
    {
        Taken,
        Again,
        Empty,
        NeedsCare,
    }
}
