using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The start position of a cursor, which is placed there while the segment cannot be reused or deleted. The caller holds the membership lock.</summary>
internal sealed class StartPosition(SegmentStore segments)
{
    // The segment of the last attempt.
    private long _wanted;

    /// <summary>Runs an action with the position, while its record cannot be reused or deleted.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="QueueInUseException">A live producer has been opening the segment for 30 seconds.</exception>
    public void Place(QueueStart start, Action<long> place)
    {
        var begin = Stopwatch.GetTimestamp();
        while (!TryPlace(start, place))
        {
            // A producer is reusing the segment, is checking whether it can, or is about to open the first one. If it is suspended, the others that need the membership lock must not wait for it too.
            if (Stopwatch.GetElapsedTime(begin) > MembershipLock.Patience)
            {
                var control = segments.Control;
                throw MembershipLock.InUse(control, SlotLock.FindHolder(control, _wanted), $"The segment that a producer of queue '{control.Directory}' is opening");
            }

            Thread.Sleep(1);
        }
    }

    private bool TryPlace(QueueStart start, Action<long> place)
    {
        var count = segments.RequireNewest() + 1;
        if (start.Position is { } position)
        {
            return TryPlaceAt(position, place);
        }

        if (start.Time is { } time)
        {
            return TryPlaceAtTime(time, place);
        }

        if (count == 0)
        {
            return TryHold(0, () => place(0));
        }

        if (start.IsLatest)
        {
            return TryPlaceAtLatest(place);
        }

        // A producer that holds the lock of the segment's slot may find that it cannot reuse it. The messages there, including one that is still being written, are therefore not skipped.
        var first = segments.First;
        return TryHold(first, () => place(first * segments.Control.SegmentBytes));
    }

    private bool TryHold(long segment, Action action)
    {
        _wanted = segment;
        return segments.TryHold(segment, action);
    }

    // The end of the newest segment is held by that segment.
    private long HolderOf(long position) => Math.Min(position / segments.Control.SegmentBytes, Math.Max(segments.Count - 1, 0));

    // If the segment was reused after the search, the search is repeated.
    private bool TryPlaceAtTime(DateTimeOffset time, Action<long> place)
    {
        var position = TimedStart.Find(segments, time);
        return TryHold(HolderOf(position), () => place(position));
    }

    // The position is not after an unfinished record, in whichever segment: it may become a message. That of a dead producer cannot.
    private bool TryPlaceAtLatest(Action<long> place)
    {
        var position = PublishedPosition.Of(segments);
        var isLatest = false;
        var isHeld = TryHold(HolderOf(position), () =>
        {
            isLatest = !TryDiscard(position);
            if (isLatest)
            {
                place(position);
            }
        });
        return isHeld && isLatest;
    }

    private bool TryDiscard(long position)
    {
        var control = segments.Control;
        var number = position / control.SegmentBytes;
        if (!segments.IsOpen(number))
        {
            return false;
        }

        using var segment = segments.Map(number);
        var word = Volatile.Read(ref segment.Word(position));
        if (RecordWord.State(word) != RecordWord.Reserved)
        {
            return false;
        }

        using var deadOwner = DeadOwnerLock.TryAcquire(control, RecordWord.Owner(word));
        if (deadOwner is null)
        {
            return false;
        }

        segments.TryPadReservation(segment, position, word);
        WakeSignal.ForRecords(control).WakeAll();
        return true;
    }

    private bool TryPlaceAt(long position, Action<long> place)
    {
        var count = segments.Count;
        if (count == 0 && position == 0)
        {
            return TryHold(0, () => place(0));
        }

        // The end of the last segment is the position of the next record: holding the last segment also keeps the next one from being reused.
        var segment = position == count * segments.Control.SegmentBytes ? count - 1 : position / segments.Control.SegmentBytes;
        if (segment < 0 || segment >= count)
        {
            throw NoMessageAt(position);
        }

        var isRecord = false;
        var isHeld = TryHold(segment, () =>
        {
            // The message may be published while another producer is still writing an earlier one.
            isRecord = segments.FindClaimedEnd(segment, position) == position;
            if (isRecord)
            {
                place(position);
            }
        });
        if (isRecord)
        {
            return true;
        }

        if (!isHeld && segments.IsOpen(segment))
        {
            return false;
        }

        throw NoMessageAt(position);
    }

    public static ArgumentOutOfRangeException NoMessageAt(long position) => new(
        nameof(position), position, "No message starts at this position. Use the position of a message that has not been deleted, as Publish returns it or a delivery has it.");
}
