namespace BufferedMessages.Queues;

/// <summary>Finds where a cursor is to stand, and puts it there while the segment cannot go away. The caller is the registrar.</summary>
internal sealed class StartPosition(ControlFile control)
{
    /// <summary>Runs an action with the position, within the time in which the records there are sure to stay.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    public void Place(QueueStart start, Action<long> place)
    {
        while (!TryPlace(start, place))
        {
            // A producer is just reusing the segment, or is about to open the first one.
            Thread.Sleep(1);
        }
    }

    private bool TryPlace(QueueStart start, Action<long> place)
    {
        var segments = control.Segments;
        var count = segments.Count;
        if (start.Position is { } position)
        {
            return TryPlaceAt(position, place);
        }

        if (count == 0)
        {
            return segments.TryHold(0, () => place(0));
        }

        if (start.IsLatest)
        {
            return segments.TryHold(count - 1, () => place(segments.FindEnd(count - 1, count * control.SegmentBytes)));
        }

        for (var segment = segments.First; segment < count; segment++)
        {
            if (segments.TryHold(segment, () => place(segment * control.SegmentBytes)))
            {
                return true;
            }
        }

        return false;
    }

    private bool TryPlaceAt(long position, Action<long> place)
    {
        var segments = control.Segments;
        var count = segments.Count;
        if (count == 0 && position == 0)
        {
            return segments.TryHold(0, () => place(0));
        }

        // The end of the last segment is where the next record will be: holding the last one also keeps the next from being reused.
        var segment = position == count * control.SegmentBytes ? count - 1 : position / control.SegmentBytes;
        if (segment < 0 || segment >= count)
        {
            throw NoMessageAt(position);
        }

        var isRecord = false;
        var isHeld = segments.TryHold(segment, () =>
        {
            // The message may be published while another producer still writes one in front of it.
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
        nameof(position), position, "No message starts at this position. Use a position that Publish returned or that a delivery has, and that is not deleted.");
}
