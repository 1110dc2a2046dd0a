using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The reader of a queue's statistics from its tables. It takes no lock that an active producer or consumer needs. It holds the membership lock, so that no
/// slot changes its owner: opening or closing a participant may have to wait for microseconds.
/// </summary>
internal sealed class StatisticsReader(SegmentStore segments)
{
    private readonly ControlMap _control = segments.Control;

    // A stopped holder of the membership lock must not keep the statistics from showing the reason.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    // A queue that reuses a segment within each of these attempts is described by the last one.
    private const int MaxAttempts = 100;

    private long FirstPosition => segments.First * _control.SegmentBytes;

    /// <exception cref="QueueCorruptedException">A table or a record is damaged.</exception>
    /// <exception cref="StaleQueueException">The files were deleted, replaced or truncated.</exception>
    public QueueStatistics Read()
    {
        // A handle without participants is not watched.
        segments.RequireFiles();
        var participants = ReadParticipants();
        var (first, names, low, published) = ReadPositions();
        return new QueueStatistics
        {
            Path = _control.Directory,
            Mode = _control.Mode,
            ProducerMode = _control.Producers,
            SegmentBytes = _control.SegmentBytes,
            Slots = _control.Slots,
            FirstPosition = first,
            PublishedPosition = published,
            DurablePosition = Volatile.Read(ref _control.Header.DurablePosition),
            UnreadBytes = Lag.Of(segments, low, published),
            SpaceWaits = Volatile.Read(ref _control.Header.SpaceWaits),
            Wakes = Volatile.Read(ref _control.Header.Wakes),
            Producers = [.. from seen in participants where seen.Slot.Role == ParticipantSlot.ProducerRole select ProducerOf(seen)],
            Consumers = [.. from name in names select ConsumerOf(name, published, participants)],
        };
    }

    // Positions grow. The first position is read first and the published one last, so that every cursor is between them; if the first one has
    // moved by then, they are read again.
    private (long First, List<(int Index, uint Kind, long Position)> Names, long Low, long Published) ReadPositions()
    {
        for (var attempt = 1; ; attempt++)
        {
            var first = FirstPosition;
            var names = ReadNames();
            var low = LowWatermark.Of(_control);
            var published = Math.Max(PublishedPosition.Of(segments), first);
            if (first == FirstPosition || attempt == MaxAttempts)
            {
                return (first, names, low, published);
            }
        }
    }

    private List<(int Index, uint Kind, long Position)> ReadNames()
    {
        var names = new List<(int, uint, long)>();
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref _control.Cursor(index);
            var kind = Volatile.Read(ref cursor.Kind);
            if (kind == 0)
            {
                break;
            }

            if (kind != CursorRecord.DeletedKind)
            {
                var position = Volatile.Read(ref cursor.Position);
                RequirePosition(position, ref cursor.Position);
                names.Add((index, kind, position));
            }
        }

        return names;
    }

    private List<SeenParticipant> ReadParticipants()
    {
        using var membershipLock = TryLockMembership();
        var participants = new List<SeenParticipant>();
        var used = _control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            if (!TrySee(ref _control.Participant(slot), out var seen))
            {
                continue;
            }

            var isConsumer = seen.Role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole;
            if (seen.Role != ParticipantSlot.ProducerRole && (!isConsumer || seen.Cursor is < 0 or >= CursorRecord.Count))
            {
                throw new QueueCorruptedException(_control.Path, _control.OffsetOf(ref _control.Participant(slot)), "the participant is of no known role, or of no name");
            }

            RequirePosition(seen.LastClaim, ref _control.Participant(slot).LastClaim);
            participants.Add(new SeenParticipant(slot, seen, !DeadOwnerLock.IsDead(_control, slot)));
        }

        return participants;
    }

    private FileLease? TryLockMembership()
    {
        if (_control.IsReadOnly)
        {
            // Without the membership lock, a slot whose role changes during the look is left out.
            return null;
        }

        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            var membershipLock = MembershipLock.TryAcquire(_control);
            if (membershipLock is not null || Stopwatch.GetElapsedTime(start) > Patience)
            {
                return membershipLock;
            }

            Thread.Sleep(1);
        }
    }

    private void RequirePosition(long position, ref long place)
    {
        if (!segments.MayHaveRecord(position))
        {
            throw new QueueCorruptedException(_control.Path, _control.OffsetOf(ref place), $"no record can be at the position {position}");
        }
    }

    private ConsumerStatistics ConsumerOf((int Index, uint Kind, long Position) name, long published, List<SeenParticipant> participants) => new()
    {
        Name = new CursorNames(_control).NameOf(name.Index),
        IsGroup = name.Kind == CursorRecord.GroupKind,
        Position = name.Position,
        LagBytes = Lag.Of(segments, name.Position, published),
        OldestUnreadAge = UnreadAge.Of(segments, name.Position, published),
        Members = [.. from seen in participants where seen.Slot.Role != ParticipantSlot.ProducerRole && seen.Slot.Cursor == name.Index select MemberOf(seen)],
    };

    private static bool TrySee(ref ParticipantSlot participant, out ParticipantSlot seen)
    {
        var role = Volatile.Read(ref participant.Role);
        seen = participant;

        // The other words are read before the role is compared.
        Volatile.ReadBarrier();
        return role != ParticipantSlot.NoRole && seen.Role == role && Volatile.Read(ref participant.Role) == role;
    }

    private static ParticipantStatistics ProducerOf(SeenParticipant seen) => Describe(seen, seen.Slot.LastClaim);

    private static ParticipantStatistics MemberOf(SeenParticipant seen) =>
        Describe(seen, seen.Slot.InFlight == InFlight.None || InFlight.IsTentative(seen.Slot.InFlight) ? null : InFlight.Position(seen.Slot.InFlight));

    private static ParticipantStatistics Describe(SeenParticipant seen, long? position) => new()
    {
        Slot = seen.Number,
        ProcessId = seen.Slot.ProcessId,
        ProcessStart = seen.Slot.ProcessStart,
        IsAlive = seen.IsAlive,
        Messages = seen.Slot.Messages,
        Bytes = seen.Slot.PayloadBytes,
        Position = position,
    };

    private readonly record struct SeenParticipant(int Number, ParticipantSlot Slot, bool IsAlive);
}
