using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The repair of segments: their files, their headers, and damaged records, which become padding.</summary>
internal sealed class SegmentRepair(QueueHandle queue)
{
    private readonly ControlMap _control = queue.Control;

    private long SegmentBytes => _control.SegmentBytes;

    /// <summary>Plans the steps that let every open segment be mapped.</summary>
    public IReadOnlyList<RepairStep> PlanSegments() => queue.Segments is FileSegments files ? PlanFiles(files) : PlanRing((RingSegments)queue.Segments);

    /// <summary>Plans to turn damaged bytes into padding.</summary>
    public RepairStep PlanPadding(Finding finding)
    {
        var position = finding.Position ?? 0;
        return new RepairStep($"turn the {finding.Bytes} bytes at {position} into padding, and keep them in lost+found: {finding.Rule}", () =>
        {
            var offset = queue.Segments is FileSegments ? position % SegmentBytes : (position / SegmentBytes % _control.Slots * SegmentBytes) + (position % SegmentBytes);
            Save(position, finding.File, offset, finding.Bytes, finding.Rule);
            using var segment = queue.Segments.Map(position / SegmentBytes);
            Pad(segment, position, finding.Bytes);
        });
    }

    private List<RepairStep> PlanFiles(FileSegments files)
    {
        if (PlanExchange(files) is { } exchange)
        {
            return [exchange];
        }

        var steps = new List<RepairStep>();
        for (var number = files.First; number < files.Count; number++)
        {
            var (segment, file) = (number, new FileInfo(files.FileOf(number)));
            if (!file.Exists)
            {
                steps.Add(new RepairStep($"make the missing segment {file.Name} anew, as padding: its messages are lost", () => MakePadding(files, segment)));
            }
            else if (file.Length != SegmentBytes)
            {
                steps.Add(new RepairStep($"bring {file.Name} from {file.Length} to {SegmentBytes} bytes, and keep it in lost+found", () =>
                {
                    Save(segment * SegmentBytes, file.FullName, 0, file.Length, $"it has {file.Length} bytes");
                    SetLength(file.FullName, SegmentBytes);
                }));
            }
            else if (PlanHeader(files, segment, file.FullName) is { } step)
            {
                steps.Add(step);
            }
        }

        return steps;
    }

    // One at a time: it changes what the next one would be.
    private RepairStep? PlanExchange(FileSegments files)
    {
        for (var number = files.First; number < files.Count; number++)
        {
            var path = files.FileOf(number);
            var header = ReadHeader(path, 0);
            if (header.IsWhole && header.QueueId == _control.Id && header.Number != number && files.IsOpen(header.Number)
                && files.FileOf(header.Number) is var other && File.Exists(other) && !ReadHeader(other, 0).IsOf(_control, header.Number))
            {
                return new RepairStep($"exchange {Path.GetFileName(path)} and {Path.GetFileName(other)}: it is segment {header.Number}", () => Exchange(path, other));
            }
        }

        return null;
    }

    private RepairStep? PlanHeader(FileSegments files, long number, string path)
    {
        var header = ReadHeader(path, 0);
        if (header.IsOf(_control, number))
        {
            return null;
        }

        var name = Path.GetFileName(path);
        if (header.IsWhole && header.QueueId != _control.Id)
        {
            return new RepairStep($"put the segment {name} of the queue {header.QueueId} into lost+found, and make it anew, as padding: its messages are lost", () =>
            {
                Save(number * SegmentBytes, path, 0, SegmentBytes, $"it is a segment of the queue {header.QueueId}");
                File.Delete(path);
                MakePadding(files, number);
            });
        }

        return new RepairStep($"write the header of {name} anew, and keep it in lost+found", () =>
        {
            Save(number * SegmentBytes, path, 0, SegmentHeader.Bytes, "the header of the segment is damaged");
            files.RestoreHeader(number);
        });
    }

    private List<RepairStep> PlanRing(RingSegments ring)
    {
        var file = new FileInfo(ring.PathOf(0));
        var wanted = _control.Slots * SegmentBytes;
        if (!file.Exists || file.Length != wanted)
        {
            return [new RepairStep($"bring the ring from {(file.Exists ? file.Length : 0)} to {wanted} bytes", () =>
            {
                if (file.Exists)
                {
                    SetLength(file.FullName, wanted);
                }
                else
                {
                    MappedFile.Create(file.FullName, wanted, _control.Permissions, "repair.creating");
                }
            })];
        }

        var steps = new List<RepairStep>();
        for (var number = ring.First; number < ring.Count; number++)
        {
            var segment = number;
            var offset = number % _control.Slots * SegmentBytes;
            if (ring.IsOpen(number) && !ReadHeader(file.FullName, offset).IsOf(_control, number))
            {
                steps.Add(new RepairStep($"write the header of segment {number} anew, and keep it in lost+found", () =>
                {
                    Save(segment * SegmentBytes, file.FullName, offset, SegmentHeader.Bytes, "the header of the segment is damaged, or another one's");
                    ring.RestoreHeader(segment);
                }));
            }
        }

        return steps;
    }

    private static SegmentHeader ReadHeader(string path, long offset)
    {
        var header = default(SegmentHeader);
        if (File.Exists(path))
        {
            using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
            RandomAccess.Read(file, MemoryMarshal.AsBytes(new Span<SegmentHeader>(ref header)), offset);
        }

        return header;
    }

    private static void Exchange(string left, string right)
    {
        var aside = left + ".exchanged";
        File.Move(left, aside);
        File.Move(right, left);
        File.Move(aside, right);
        DiskFlush.OfDirectory(Path.GetDirectoryName(left)!);
    }

    private static void SetLength(string path, long bytes)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        RandomAccess.SetLength(file, bytes);
    }

    private void MakePadding(FileSegments files, long number)
    {
        files.CreateFile(number, "repair.creating");
        using var segment = files.Map(number);
        Pad(segment, segment.Position + SegmentHeader.Bytes, SegmentBytes - SegmentHeader.Bytes);
    }

    // SAFETY: The segment is mapped, At checks the position, and a header lies within the aligned 16 bytes there.
    private unsafe void Pad(in Segment segment, long position, long bytes)
    {
        var record = segment.At(position);
        var word = RecordWord.Compose(RecordWord.Padding, ParticipantSlot.MembershipLock, checked((uint)bytes));
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = _control.HasChecksums ? RecordChecksum.OfPadding(position, word) : 0;
        Volatile.Write(ref *(ulong*)record, word);
        segment.File.Flush();
    }

    private void Save(long position, string path, long offset, long bytes, string reason) => LostAndFound.Save(
        _control.Directory, _control.Permissions, position, [(path, offset, bytes)], [$"The queue in '{_control.Directory}' was repaired at position {position}: {reason}."]);
}
