using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A member's care for messages that dead members of its group had taken.
/// <code>
/// adopt  1 win the dead member's lease   2 its word is tentative, or claim is not behind it: it was never taken, clear the word
///        3 deliver while its word stands: moved to another word, a producer's scan could miss both   4 clear its word, give up its lease
/// </code>
/// A member that was closed with a message it had not committed is adopted like a dead one. Serves one thread at a time.
/// </summary>
internal sealed unsafe class GroupAdoption(ControlFile control, Seat seat)
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(16);

    // The word of each member at the last look: only one that stands still may be a dead one's.
    private readonly ulong[] _seen = new ulong[ParticipantSlot.Count];
    private readonly WakeSignal _space = WakeSignal.ForSpace(control);
    private long _lastLook;
    private TimeSpan _pause = FirstPause;
    private bool _hasSuspects;

    private FileLease? _lease;
    private ParticipantSlot* _dead;
    private Segment _segment;

    /// <summary>How long the member may sleep before it should look again.</summary>
    public TimeSpan LongestSleep => _hasSuspects ? _pause : WakeSignal.LongestSleep;

    /// <summary>Takes over the message of a member that died, if there is one.</summary>
    public bool TryAdopt(out AdoptedRecord record)
    {
        record = default;
        if (Stopwatch.GetElapsedTime(_lastLook) < _pause)
        {
            return false;
        }

        _lastLook = Stopwatch.GetTimestamp();
        _hasSuspects = false;
        var used = Math.Min(Volatile.Read(ref control.Header->UsedSlots), ParticipantSlot.Count);
        for (var slot = 1; slot < used; slot++)
        {
            var member = control.Participant(slot);
            var word = Volatile.Read(ref member->InFlight);
            var isPeer = slot != seat.Slot && word != InFlight.None && Volatile.Read(ref member->Cursor) == seat.Cursor;
            var stoodStill = isPeer && _seen[slot] == word;
            _seen[slot] = isPeer ? word : InFlight.None;
            _hasSuspects |= isPeer;
            if (stoodStill && Verdict.TryReach(control, slot) is { } verdict && TryTake(verdict.KeepLease(), member, out record))
            {
                return true;
            }
        }

        _pause = _hasSuspects && _pause * 2 < LongestPause ? _pause * 2 : _hasSuspects ? LongestPause : FirstPause;
        return false;
    }

    /// <summary>The adopted message is done; producers may have waited for just that.</summary>
    public void Finish()
    {
        Volatile.Write(ref _dead->InFlight, InFlight.None);
        FaultPoints.Hit(FaultPoint.AdoptionCleared);
        GiveUp();
        _space.WakeWaiters();
    }

    /// <summary>Leaves the message to other members.</summary>
    public void GiveUp()
    {
        _segment.Release();
        _segment = default;
        _lease?.Dispose();
        _lease = null;
    }

    private bool TryTake(FileLease lease, ParticipantSlot* member, out AdoptedRecord record)
    {
        FaultPoints.Hit(FaultPoint.AdoptionLeased);
        record = default;
        if (Volatile.Read(ref member->Cursor) != seat.Cursor)
        {
            // The slot had another owner meanwhile, of another name, who is gone too.
            lease.Dispose();
            return false;
        }

        _lease = lease;
        _dead = member;
        try
        {
            // Nobody changes the word while we hold the lease.
            var word = Volatile.Read(ref member->InFlight);
            var position = InFlight.Position(word);
            if (word != InFlight.None && !InFlight.IsTentative(word) && Volatile.Read(ref control.Cursor(seat.Cursor)->Position) > position)
            {
                record = Read(position);
            }
        }
        catch
        {
            GiveUp();
            throw;
        }

        if (record.Bytes == 0)
        {
            Finish();
        }

        FaultPoints.Hit(FaultPoint.AdoptionDelivering);
        return record.Bytes != 0;
    }

    /// <summary>The record that a dead member had claimed; none when it is padding, or was deleted.</summary>
    private AdoptedRecord Read(long position)
    {
        var segments = control.Segments;
        var number = position / control.SegmentBytes;
        if (position < 0 || position % RecordWord.Alignment != 0 || !segments.IsOpen(number))
        {
            return default;
        }

        _segment = segments.Map(number);
        var record = _segment.At(position);
        var word = Volatile.Read(ref *(ulong*)record);
        if (RecordWord.State(word) == RecordWord.Padding)
        {
            return default;
        }

        if (RecordWord.State(word) != RecordWord.Committed || !RecordWord.HasValidLength(word, _segment.Position + control.SegmentBytes - position))
        {
            SegmentStore.ThrowCorrupted(_segment, position, word);
        }

        return new AdoptedRecord((nint)record, position, RecordWord.Bytes(word));
    }
}

/// <summary>A committed record, with a valid length, that a dead member had taken.</summary>
internal readonly unsafe record struct AdoptedRecord(nint Address, long Position, uint Bytes)
{
    public byte* Start => (byte*)Address;
}
