using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The repair of a bounded queue's ring: its length, and the headers of the segments in its slots.</summary>
internal sealed class RingRepair(QueueHandle queue, RingSegments ring)
{
    private const int CopyBytes = 64 * 1024;

    private readonly ControlMap _control = queue.Control;
    private readonly SegmentRepair _segments = new(queue);
    private readonly string _path = ring.PathOf(0);

    private long SegmentBytes => _control.SegmentBytes;

    /// <summary>Plans the steps that let every open segment be mapped.</summary>
    public IReadOnlyList<RepairStep> Plan()
    {
        var wanted = _control.Slots * SegmentBytes;
        var length = MappedFile.LengthOf(_path);
        if (length != wanted)
        {
            return [new RepairStep($"bring the ring from {length ?? 0} to {wanted} bytes{(length > wanted ? ", and keep the rest in lost+found" : "")}", () => MakeWhole(length, wanted))];
        }

        List<long> open = [.. Open()];
        SegmentRepair.RequireOwnControl(_control, open.Select(HeaderOf));
        return PlanExchange(open) is { } exchange ? [exchange] : [.. open.Select(PlanHeader).OfType<RepairStep>()];
    }

    private IEnumerable<long> Open()
    {
        for (var number = ring.First; number < ring.Count; number++)
        {
            if (ring.IsOpen(number))
            {
                yield return number;
            }
        }
    }

    private long OffsetOf(long number) => number % _control.Slots * SegmentBytes;

    private SegmentHeader HeaderOf(long number) => SegmentRepair.ReadHeader(_path, OffsetOf(number));

    private void MakeWhole(long? length, long wanted)
    {
        if (length is { } bytes && bytes > wanted)
        {
            _segments.Save(0, _path, wanted, bytes - wanted, $"it is a ring of {bytes} bytes");
        }

        if (length is not null)
        {
            SegmentRepair.SetLength(_path, wanted);
        }
        else
        {
            MappedFile.Create(_path, wanted, _control.Permissions, "repair.creating");
        }
    }

    // One at a time, since a step changes the next one.
    private RepairStep? PlanExchange(List<long> open)
    {
        foreach (var number in open)
        {
            var header = HeaderOf(number);
            if (header.IsOfOther(_control, number) && header.QueueId == _control.Id && open.Contains(header.Number) && HeaderOf(header.Number).IsOfOther(_control, header.Number))
            {
                return new RepairStep($"exchange the slots of the segments {number} and {header.Number}, and keep both in lost+found", () => Exchange(number, header.Number));
            }
        }

        return null;
    }

    private RepairStep? PlanHeader(long number)
    {
        var header = HeaderOf(number);
        if (header.IsNewer || header.IsOf(_control, number))
        {
            return null;
        }

        var position = number * SegmentBytes;
        if (header.IsOfOther(_control, number))
        {
            return new RepairStep($"put segment {header.Number} of the queue {header.QueueId}, which is in the slot of segment {number}, into lost+found, and make padding of it: its messages are lost", () =>
            {
                _segments.Save(position, _path, OffsetOf(number), SegmentBytes, $"it is segment {header.Number} of the queue {header.QueueId}");
                using var segment = ring.MapAsIs(number);

                // The header comes last: before that, it would turn the records of the other segment into messages of this one.
                _segments.Pad(segment, position + SegmentHeader.Bytes, SegmentBytes - SegmentHeader.Bytes);
                ring.RestoreHeader(number);
            });
        }

        return new RepairStep($"write the header of segment {number} anew, and keep it in lost+found", () =>
        {
            _segments.Save(position, _path, OffsetOf(number), SegmentHeader.Bytes, "the header of the segment is damaged");
            ring.RestoreHeader(number);
        });
    }

    // The ring is replaced as a whole: a process that dies leaves either the old or the new one.
    private void Exchange(long left, long right)
    {
        foreach (var number in (long[])[left, right])
        {
            _segments.Save(number * SegmentBytes, _path, OffsetOf(number), SegmentBytes, "it is in the slot of another segment");
        }

        var exchanged = _path + ".exchanged";
        File.Delete(exchanged);
        MappedFile.Create(exchanged, _control.Slots * SegmentBytes, _control.Permissions, "creating", file =>
        {
            using var old = File.OpenHandle(_path, share: FileShare.ReadWrite | FileShare.Delete);
            for (var slot = 0; slot < _control.Slots; slot++)
            {
                var from = slot * SegmentBytes;
                var to = from == OffsetOf(left) ? OffsetOf(right) : from == OffsetOf(right) ? OffsetOf(left) : from;
                for (var at = 0; at < SegmentBytes; at += CopyBytes)
                {
                    RandomAccess.Read(old, file.Span.Bytes(to + at, CopyBytes), from + at);
                }
            }
        });
        FileMapping.Replace(exchanged, _path);
        DiskFlush.OfDirectory(_control.Directory);
    }
}
