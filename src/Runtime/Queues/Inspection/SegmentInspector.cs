using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The inspection of the records of one segment. The queue may be in use: finished records do not change, and a fault in a segment that a producer reuses during the walk does not count.
/// After a damaged record the walk continues at the next one that is whole beyond doubt.
/// </summary>
internal sealed class SegmentInspector(SegmentStore segments, InspectionDepth depth, ContentCheck content, ControlMarks marks, Action<long> progress, CancellationToken token)
{
    // Between two checks of the token.
    private const long StepBytes = 16 * 1024 * 1024;

    private readonly ControlMap _control = segments.Control;
    private readonly SegmentReport _report = new();

    // No position of the control file lies between the record of the walk and this one. Most records end before it.
    private long _nextMark;

    private bool IsBounded => _control.Mode == QueueMode.Bounded;

    /// <summary>Walks over a segment.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="limit">The position where the walk ends.</param>
    public SegmentReport Inspect(long number, long limit)
    {
        _report.End = number * _control.SegmentBytes;
        try
        {
            using var segment = segments.Map(number);
            Walk(segment, number, Math.Min(limit, segment.Position + segment.Bytes));
        }
        catch (MessagesDeletedException)
        {
            _report.IsGone = true;
        }
        catch (QueueCorruptedException exception)
        {
            // Producers may have reused or deleted it since.
            _report.IsGone = !segments.IsOpen(number);
            if (!_report.IsGone)
            {
                _report.Findings.Add(Finding.Damage(exception, _control.SegmentBytes));
                _report.End += _control.SegmentBytes;
            }
        }
        catch (NotSupportedException exception)
        {
            if (IsStillOpen(number))
            {
                AddUnknown(_report.End, exception);
                _report.End += _control.SegmentBytes;
            }
        }

        return _report;
    }

    private void Walk(in Segment segment, long number, long limit)
    {
        var position = segment.Position;
        var nextStep = position + StepBytes;
        if (depth.Checksums || depth.Messages)
        {
            ReadAhead(segment);
        }

        while (position < limit)
        {
            if (position >= nextStep)
            {
                token.ThrowIfCancellationRequested();
                progress(StepBytes);
                nextStep += StepBytes;
            }

            var next = Step(segment, number, position);
            if (next == position || _report.IsGone)
            {
                break;
            }

            position = next;
        }

        _report.End = position;
        _report.IsOpenEnded = position < segment.Position + segment.Bytes && !_report.IsGone;
        progress(segment.Bytes - (nextStep - StepBytes - segment.Position));
    }

    // SAFETY: The range is that of the mapped segment.
    private static unsafe void ReadAhead(in Segment segment)
    {
        if (LinuxKernel.IsSupported)
        {
            LinuxKernel.WillNeed((byte*)segment.Start, (nuint)segment.Bytes);
        }
    }

    // SAFETY: The segment is mapped, At checks the position, and each length is checked before it is used.
    private unsafe long Step(in Segment segment, long number, long position)
    {
        Debug.Assert(segment.IsMapped, "The segment is mapped.");
        var record = segment.At(position);
        var remaining = segment.Position + segment.Bytes - position;
        var word = Volatile.Read(ref *(ulong*)record);
        var state = RecordWord.State(word);
        if (!IsStillOpen(number))
        {
            return position;
        }

        try
        {
            if (state is not (RecordWord.Committed or RecordWord.Padding))
            {
                segments.RequireUnfinished(segment, position, word);
                return StepOverUnfinished(segment, position, word);
            }

            if (!RecordWord.HasValidLength(word, remaining))
            {
                SegmentStore.ThrowCorrupted(segment, position, word);
            }

            var bytes = RecordWord.Bytes(word);
            if (state == RecordWord.Committed)
            {
                InspectMessage(record, number, position, bytes);
            }
            else if (depth.Checksums)
            {
                segments.RequirePadding(record, position, word, remaining);
            }

            AddMisplaced(position, position + bytes);
            return position + bytes;
        }
        catch (QueueCorruptedException exception)
        {
            return StepOverDamage(segment, number, position, exception);
        }
    }

    // A single producer gives back the unused part of its reservation, so the place of the next record is not known.
    private long StepOverUnfinished(in Segment segment, long position, ulong word)
    {
        if (RecordWord.State(word) != RecordWord.Reserved)
        {
            return position;
        }

        _report.Unfinished++;
        RequireReservation(segment, position, word);
        return _control.Producers == ProducerMode.Multiple ? position + RecordWord.Bytes(word) : position;
    }

    // A producer signs its slot and stores its claim before it reserves a record, and has one reservation at most. Another reservation in its name would never be finished, and the
    // readers would wait at it for as long as the producer lives.
    private void RequireReservation(in Segment segment, long position, ulong word)
    {
        ref var owner = ref _control.Participant(RecordWord.Owner(word));
        var (role, claim) = (Volatile.Read(ref owner.Role), Volatile.Read(ref owner.LastClaim));
        if ((role != ParticipantSlot.ProducerRole || claim != position) && Volatile.Read(ref segment.Word(position)) == word)
        {
            throw new QueueCorruptedException(segments.PathOf(position), position, $"participant {RecordWord.Owner(word)}, which reserved the record, is not a producer that writes it");
        }
    }

    // SAFETY: The caller has checked that the record ends within its segment, and RequirePayload that the payload ends within the record.
    private unsafe void InspectMessage(byte* record, long number, long position, uint bytes)
    {
        int payloadBytes;
        try
        {
            payloadBytes = depth.Checksums ? segments.RequireWhole(record, position, bytes) : segments.RequirePayload(record, position, bytes);
        }
        catch (NotSupportedException exception)
        {
            // The record is read once more there, and its slot may be reused since.
            if (IsStillOpen(number))
            {
                AddUnknown(position, exception);
            }

            return;
        }

        if (depth.Checksums && !_control.HasChecksums)
        {
            segments.RequireProperties(record, position, bytes, payloadBytes);
        }

        if (depth.Messages && content.FaultOf(new ReadOnlySpan<byte>(record + RecordWord.HeaderBytes, payloadBytes), IsBounded) is { } fault && IsStillOpen(number))
        {
            _report.Findings.Add(new Finding(FindingKind.Damage, segments.PathOf(position), position, fault));
        }
        else
        {
            _report.Messages++;
            _report.PayloadBytes += payloadBytes;
        }
    }

    private long StepOverDamage(in Segment segment, long number, long position, QueueCorruptedException exception)
    {
        if (!IsStillOpen(number))
        {
            return position;
        }

        var next = new SoundRecords(segments, segment, marks).FindAfter(position);
        _report.Findings.Add(Finding.Damage(exception, next - position));
        return next;
    }

    private void AddMisplaced(long position, long end)
    {
        if (end > _nextMark)
        {
            _report.Findings.AddRange(marks.Within(position, end));
            _nextMark = marks.FirstFrom(end);
        }
    }

    private void AddUnknown(long position, NotSupportedException exception) =>
        _report.Findings.Add(new Finding(FindingKind.Unknown, segments.PathOf(position), position, exception.Message));

    // The slots of a bounded queue are reused; a mapped file keeps its content. The bytes are read before the state.
    private bool IsStillOpen(long number)
    {
        if (IsBounded)
        {
            Interlocked.MemoryBarrier();
            _report.IsGone = !segments.IsOpen(number);
        }

        return !_report.IsGone;
    }
}
