using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The positions that the control file names, as they were when the inspection began: cursors, claims, messages in flight, the tail hint, the durable position. A record begins at
/// each of them, and none is after the end that a later walk finds.
/// </summary>
internal sealed class ControlMarks
{
    private readonly ControlMap _control;
    private readonly List<Mark> _marks = [];
    private readonly long[] _positions;

    public ControlMarks(ControlMap control)
    {
        _control = control;
        ref var header = ref control.Header;
        if (control.Producers == ProducerMode.Multiple)
        {
            Add(ref header.TailHint, "the tail hint");
        }

        Add(ref header.DurablePosition, "the durable position");
        AddParticipants(Math.Clamp(Volatile.Read(ref header.UsedSlots), 0, ParticipantSlot.Count));
        AddCursors();
        _marks.Sort(static (left, right) => left.Position.CompareTo(right.Position));
        _positions = [.. _marks.Select(static mark => mark.Position)];
    }

    /// <summary>The damage of positions where no record can begin, in any queue.</summary>
    public IEnumerable<Finding> Impossible => _marks.Where(static mark => !IsPossible(mark.Position)).Select(mark => FindingOf(mark, "where no record can begin"));

    /// <summary>The damage of positions after the end of the queue.</summary>
    public IEnumerable<Finding> After(long end) => _marks.Where(mark => IsPossible(mark.Position) && mark.Position > end)
        .Select(mark => FindingOf(mark, $"after the end of the queue at {Text(end)}"));

    /// <summary>The damage of positions within a finished record.</summary>
    /// <param name="start">The position of the record.</param>
    /// <param name="end">The position after it.</param>
    public IEnumerable<Finding> Within(long start, long end)
    {
        for (var i = IndexAfter(start); i < _positions.Length && _positions[i] < end; i++)
        {
            if (IsPossible(_positions[i]))
            {
                yield return FindingOf(_marks[i], $"within the record at {Text(start)}");
            }
        }
    }

    /// <summary>The first position at a place or after it; the largest number if there is none.</summary>
    public long FirstFrom(long position) => IndexAfter(position - 1) is var index && index < _positions.Length ? _positions[index] : long.MaxValue;

    /// <summary>The last position before an end; -1 if there is none.</summary>
    public long LastBefore(long end) => IndexAfter(end - 1) is var index and > 0 ? _positions[index - 1] : -1;

    /// <summary>The positions that cannot stay as they are, and the ones in their place.</summary>
    /// <param name="findings">The damage that an inspection found.</param>
    /// <param name="first">The position of the first record.</param>
    /// <param name="end">The position after the last one.</param>
    public IEnumerable<(string Text, Action Take)> Corrections(IEnumerable<Finding> findings, long first, long end)
    {
        var offsets = findings.Where(finding => finding.File == _control.Path).Select(static finding => finding.Position).ToHashSet();

        // Not everything before the end needs to be on the disk.
        var durable = _control.OffsetOf(ref _control.Header.DurablePosition);

        // A cursor that is moved to the end first is moved back with its group.
        foreach (var mark in _marks.Where(mark => offsets.Contains(mark.Offset)).OrderBy(static mark => mark.Member is not null))
        {
            var position = !IsPossible(mark.Position) || mark.Position <= end || mark.Offset == durable ? first : end;
            yield return mark.Member is { } slot
                ? ($"forget {mark.Name}, which is at {Text(mark.Position)}, and move the group back to the first message with which its members may not have been done", () => ReturnGroup(slot, first))
                : ($"move {mark.Name} from {Text(mark.Position)} to {Text(position)}", () => MemoryMarshal.Write(_control.BytesAt(mark.Offset, sizeof(long)), in position));
        }
    }

    // The message of a damaged announcement is not known, so the group gets every message that it may be, including those of the other members. If the process dies in between, the damage is still there.
    private void ReturnGroup(int damaged, long first)
    {
        var index = _control.Participant(damaged).Cursor;
        if (SlotReclaimer.IsCursor(index) && _control.Cursor(index).Kind == CursorRecord.GroupKind)
        {
            _control.Cursor(index).ReturnToDone(first);
            for (var slot = 1; slot < ParticipantSlot.Count; slot++)
            {
                ref var member = ref _control.Participant(slot);
                if (slot != damaged && member.Role == ParticipantSlot.MemberRole && member.Cursor == index)
                {
                    member.InFlight = InFlight.None;
                }
            }
        }

        _control.Participant(damaged).InFlight = InFlight.None;
    }

    private static bool IsPossible(long position) => position >= 0 && position % RecordWord.Alignment == 0;

    private static string Text(long position) => position.ToString(CultureInfo.InvariantCulture);

    private int IndexAfter(long position)
    {
        var index = Array.BinarySearch(_positions, position);
        index = index < 0 ? ~index : index + 1;
        while (index < _positions.Length && _positions[index] == position)
        {
            index++;
        }

        return index;
    }

    private void AddParticipants(int used)
    {
        for (var slot = 1; slot < used; slot++)
        {
            ref var participant = ref _control.Participant(slot);
            Add(ref participant.LastClaim, $"the last claim of participant {slot}");
            if (Volatile.Read(ref participant.Role) == ParticipantSlot.MemberRole && Volatile.Read(ref participant.InFlight) is var word && word != InFlight.None)
            {
                _marks.Add(new Mark(InFlight.Position(word), _control.OffsetOf(ref participant.InFlight), $"the message in flight of participant {slot}", slot));
            }
        }
    }

    private void AddCursors()
    {
        var names = new CursorNames(_control);
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref _control.Cursor(index);
            if (Volatile.Read(ref cursor.Kind) is var kind and (CursorRecord.ExclusiveKind or CursorRecord.GroupKind) && CursorNames.IsPossible(in cursor, kind))
            {
                Add(ref cursor.Position, $"the cursor of '{names.NameOf(index)}'");
            }
        }
    }

    private void Add(ref long word, string name) => _marks.Add(new Mark(Volatile.Read(ref word), _control.OffsetOf(ref word), name));

    private Finding FindingOf(Mark mark, string fault) =>
        new(FindingKind.Damage, _control.Path, mark.Offset, $"{mark.Name} is {Text(mark.Position)}, {fault}");

    private sealed record Mark(long Position, long Offset, string Name, int? Member = null);
}
