using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The repair of a durable queue after a crash of the machine. The disk holds some of the pages that were written since the last flush, in any
/// order. From the durable position on, all whole records and batches up to the first damaged one stay. Everything after them is cut off, so that no message
/// reappears that was not there when consumers continued.
/// <code>
/// 1 copy the cut bytes to lost+found   2 begin another epoch at the end   3 delete the segments after the end, the newest first
/// 4 zero the rest of the last one     5 correct the control file         6 store the machine's boot id
/// </code>
/// Each step is on the disk before the next begins; the boot id is the last. If a recoverer dies, the next process that opens the queue starts
/// again, finds the same end, and completes the steps. A queue that is cut by hand is first made like one that a crash of the machine has torn at the end,
/// so the same holds for it. The caller holds the membership lock, and no other participant is alive.
/// </summary>
internal sealed class CrashRecovery
{
    private readonly ControlMap _control;
    private readonly FileSegments _segments;
    private readonly long _segmentBytes;
    private readonly long _end;
    private readonly bool _isFound;
    private readonly bool _isTorn;
    private readonly List<string> _clampedNames = [];
    private string? _lostAndFound;
    private long _cutBytes;

    /// <summary>Finds the end of the whole records, and flushes them; changes nothing.</summary>
    public CrashRecovery(FileSegments segments)
        : this(segments, FindEnd(segments)) => _isFound = true;

    /// <summary>Cuts a queue by hand at a position where a record begins; changes nothing yet. The records before it need not be on the disk.</summary>
    public CrashRecovery(FileSegments segments, long end)
    {
        var control = segments.Control;
        _control = control;
        _segments = segments;
        _segmentBytes = control.SegmentBytes;
        _end = end;
        _isTorn = control.MayBeTorn;
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            if (IsInUse(ref control.Cursor(index)) && control.Cursor(index).Position > _end)
            {
                _clampedNames.Add(new CursorNames(control).NameOf(index));
            }
        }
    }

    /// <summary>The steps, in their order. A recoverer may die before, in and after each.</summary>
    public IReadOnlyList<Action> Steps => [KeepCutBytes, .. CutByHand, RaiseEpoch, DeleteLaterSegments, ZeroTheRest, CorrectControlFile, StoreBootId];

    private Action[] CutByHand => _isFound ? [] : [NoteCut, BeginCut];

    private long EndSegment => _end / _segmentBytes;

    // Not even the header of the last segment is whole, or the segment does not exist.
    private bool IsAtStart => _end % _segmentBytes == 0;

    /// <summary>Repairs the queue if the machine stopped since the queue was last used, and no participant is alive.</summary>
    public static QueueRecovery? RunIfNeeded(SegmentStore segments)
    {
        var control = segments.Control;
        if (!control.MayBeTorn)
        {
            return null;
        }

        // The crash may have taken the empty files.
        ControlMap.CreateLeaseDirectory(control.Directory, control.Permissions);
        using var membershipLock = MembershipLock.Acquire(control);
        return control.MayBeTorn && !IsAnybodyAlive(control) ? new CrashRecovery((FileSegments)segments).Run() : null;
    }

    /// <summary>Whether a participant of the queue is alive.</summary>
    public static bool IsAnybodyAlive(ControlMap control)
    {
        var used = control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            if (!DeadOwnerLock.IsDead(control, slot))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Executes the steps.</summary>
    public QueueRecovery Run()
    {
        foreach (var step in Steps)
        {
            step();
        }

        return new QueueRecovery(_end, _cutBytes, _lostAndFound, _clampedNames);
    }

    /// <summary>Finds the end of the whole records of a queue that a crash of the machine may have torn; changes nothing.</summary>
    public static long FindEnd(FileSegments segments)
    {
        var control = segments.Control;
        var segmentBytes = control.SegmentBytes;
        var durable = control.Header.DurablePosition;
        var stored = segments.Stored();
        return FindEnd(segments, Math.Max(durable / segmentBytes, Math.Max(segments.First, stored.Count > 0 ? stored[0] : 0)) * segmentBytes);
    }

    /// <summary>Continues the walk from a segment's start, or from the end that an earlier look found; changes nothing.</summary>
    public static long FindEnd(FileSegments segments, long from)
    {
        var control = segments.Control;
        var segmentBytes = control.SegmentBytes;
        var durable = control.Header.DurablePosition;
        var number = from / segmentBytes;
        while (TryMap(segments, number) is { } segment)
        {
            using (segment)
            {
                var end = segment.Position + segmentBytes;
                var start = Math.Max(segment.Position, from);
                var whole = segments.HasWholeHeader(segment) ? Walk(segments, segment, start) : start;
                if (whole < durable && durable < end)
                {
                    // The disk lost a record that it had confirmed. The record stays for readers to report, and so do the whole records after it.
                    whole = Walk(segments, segment, durable);
                }

                if (!control.IsReadOnly)
                {
                    segment.File.Flush();
                }

                if (whole != end)
                {
                    return whole;
                }
            }

            number++;
        }

        return number * segmentBytes;
    }

    // A file that is missing or too short was being created. One that cannot be opened ends the repair: its messages may be whole.
    private static Segment? TryMap(FileSegments segments, long number) =>
        MappedFile.LengthOf(segments.FileOf(number)) == segments.Control.SegmentBytes ? segments.MapAsIs(number) : null;

    // A batch with a damaged record is cut off as a whole.
    private static long Walk(FileSegments segments, in Segment segment, long position)
    {
        while (position < segment.Position + segment.Bytes && segments.TryFindWholeEnd(segment, position, out var end))
        {
            position = end;
        }

        return position;
    }

    /// <summary>The bytes after the end that are not zero.</summary>
    public long BytesAfterEnd => LostAndFound.Measure(CutParts());

    private void KeepCutBytes() => (_lostAndFound, _cutBytes) = LostAndFound.Keep(_control, _end, CutParts(), _clampedNames);

    private List<(string File, long Offset)> CutParts()
    {
        var cut = LaterSegments().Select(number => (File: _segments.FileOf(number), Offset: 0L)).ToList();
        if (MappedFile.LengthOf(_segments.FileOf(EndSegment)) is not null)
        {
            cut.Insert(0, (_segments.FileOf(EndSegment), _end % _segmentBytes));
        }

        return cut;
    }

    // The repair searches for the end from the durable position on.
    private void NoteCut()
    {
        for (var number = Math.Max(_control.Header.DurablePosition / _segmentBytes, _segments.First); number <= EndSegment && TryMap(_segments, number) is { } segment; number++)
        {
            using (segment)
            {
                segment.File.Flush();
            }
        }

        _control.Header.DurablePosition = _end;
        _control.Header.BootId = Guid.Empty;
        _control.FlushToDisk();
    }

    // From now on, every repair finds this end. The whole records after it are in lost+found.
    private void BeginCut()
    {
        if (TryMap(_segments, EndSegment) is { } segment)
        {
            using (segment)
            {
                segment.File.Span.Bytes((int)(_end % _segmentBytes), IsAtStart ? SegmentHeader.Bytes : RecordWord.HeaderBytes).Clear();
                segment.File.Flush();
            }
        }
    }

    private void DeleteLaterSegments()
    {
        foreach (var number in LaterSegments().Reverse())
        {
            FileMapping.Delete(_segments.FileOf(number));
        }

        File.Delete(Path.Combine(_control.Directory, SpareSegment.FileName));
        foreach (var slot in _segments.UnfinishedSlots())
        {
            _segments.DeleteUnfinished(slot);
        }

        // The segment at the end is created anew if it is missing or too short, or if its header is lost.
        var last = _segments.FileOf(EndSegment);
        if (MappedFile.LengthOf(last) is { } length ? length != _segmentBytes || IsAtStart : _end > 0)
        {
            FileMapping.Delete(last);
            _segments.CreateFile(EndSegment, "creating");
        }

        DiskFlush.OfDirectory(_control.Directory);
    }

    // SAFETY: The file is mapped until Dispose, and the end lies within its segment.
    private unsafe void ZeroTheRest()
    {
        Debug.Assert(_end >= 0 && _end % RecordWord.Alignment == 0, "Records end where the next ones begin.");
        if (IsAtStart || MappedFile.LengthOf(_segments.FileOf(EndSegment)) is null)
        {
            return;
        }

        using var file = MappedFile.Open(_segments.FileOf(EndSegment));
        var rest = new Span<byte>(file.Start + (_end % _segmentBytes), (int)(_segmentBytes - (_end % _segmentBytes)));

        // The first record is cleared first: it could become whole if only some of the zeros reached the disk.
        rest[..RecordWord.HeaderBytes].Clear();
        file.Flush();
        var length = rest.LastIndexOfAnyExcept((byte)0) + 1;
        rest[..length].Clear();
        file.Flush();
    }

    // Always, even if no bytes are cut: the whole end may be lost without a trace, and a reader of those messages may have stored their positions.
    private void RaiseEpoch()
    {
        ref var header = ref _control.Header;
        header.EpochStarts[(int)((header.Epoch + 1) % ControlHeader.KeptEpochs)] = _end;

        // It is in another sector, and must be on the disk first: an epoch without its start would claim all messages before it, whose ids would change.
        _control.FlushToDisk();
        Volatile.Write(ref header.Epoch, header.Epoch + 1);
        _control.FlushToDisk();
    }

    private void CorrectControlFile()
    {
        Debug.Assert(_end >= 0 && _end % RecordWord.Alignment == 0, "Records end where the next ones begin.");
        ref var header = ref _control.Header;
        var stored = _segments.Stored();
        header.FirstSegment = stored.Count == 0 ? EndSegment : Math.Min(Math.Max(header.FirstSegment, stored[0]), EndSegment);
        header.OpenSegments = stored.Count == 0 ? EndSegment : EndSegment + 1;
        header.TailHint = _end;
        header.DurablePosition = _end;

        // The disk may have the pages of the tables from different times. A slot that is named here may get an owner that has nothing to do with it, and a waiter may be removed from a count
        // that it was not in.
        header.ProducerSlot = 0;
        header.Waiters = 0;
        header.SpaceWaiters = 0;
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref _control.Cursor(index);
            if (IsInUse(ref cursor))
            {
                if (cursor.Kind == CursorRecord.GroupKind)
                {
                    cursor.ReturnToDone(header.FirstSegment * _segmentBytes);
                }

                // In this order, the group is not done with messages after its position even if the recoverer dies in between.
                var position = Math.Min(cursor.Position, _end);
                cursor.DonePosition = Math.Min(cursor.DonePosition, position);
                cursor.Position = position;

                // The cursor on the disk may be older than the last delivered message. A cut by hand alone loses no cursor.
                cursor.ReadPosition = _isTorn ? _end : Math.Min(cursor.ReadPosition, _end);
                cursor.OwnerDied = 1;
                cursor.OwnerSlot = 0;
            }
            else if (cursor.Kind == 0 && CursorNames.HasLater(_control, index))
            {
                // The disk kept a later page of the table, but not the one of this record.
                cursor.Kind = CursorRecord.DeletedKind;
            }
        }

        for (var slot = 0; slot < ParticipantSlot.Count; slot++)
        {
            ref var participant = ref _control.Participant(slot);
            participant.LastClaim = Math.Min(participant.LastClaim, _end);
            participant.Waiting = ParticipantSlot.NotWaiting;

            // On the disk, the page of a member may be older than the page of its group.
            participant.InFlight = InFlight.None;
        }

        _control.FlushToDisk();
    }

    private void StoreBootId()
    {
        _control.Header.BootId = MachineBoot.Id;
        _control.FlushToDisk();
    }

    private IEnumerable<long> LaterSegments() => _segments.Stored().Where(number => number > EndSegment);

    private static bool IsInUse(ref CursorRecord cursor) => cursor.Kind is CursorRecord.ExclusiveKind or CursorRecord.GroupKind;
}
