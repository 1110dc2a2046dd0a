using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The repair of segments: their files, their headers, and damaged records, which become padding.</summary>
internal sealed class SegmentRepair(QueueHandle queue)
{
    private const int WriteBytes = 64 * 1024;

    private readonly ControlMap _control = queue.Control;

    private long SegmentBytes => _control.SegmentBytes;

    /// <summary>Plans the steps that let every open segment be mapped.</summary>
    /// <exception cref="QueueCorruptedException">All segments are of one other queue, so the control file is in the wrong place.</exception>
    public IReadOnlyList<RepairStep> PlanSegments() => queue.Segments is FileSegments files ? PlanFiles(files) : new RingRepair(queue, (RingSegments)queue.Segments).Plan();

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
        RequireOwnControl(_control, Enumerable.Range(0, (int)(files.Count - files.First)).Select(index => ReadHeader(files.FileOf(files.First + index), 0)));
        if ((PlanMove(files) ?? PlanExchange(files)) is { } change)
        {
            return [change];
        }

        var steps = new List<RepairStep>();
        for (var number = files.First; number < files.Count; number++)
        {
            var (segment, path) = (number, files.FileOf(number));
            if (MappedFile.LengthOf(path) is not { } length)
            {
                steps.Add(new RepairStep($"make the missing segment {Path.GetFileName(path)} anew, as padding: its messages are lost", () => MakePadding(files, segment)));
            }
            else if (length != SegmentBytes)
            {
                steps.Add(new RepairStep($"bring {Path.GetFileName(path)} from {length} to {SegmentBytes} bytes, and keep it in lost+found", () =>
                {
                    Save(segment * SegmentBytes, path, 0, length, $"it has {length} bytes");
                    SetLength(path, SegmentBytes);
                }));
            }
            else if (PlanHeader(files, segment, path) is { } step)
            {
                steps.Add(step);
            }
        }

        return steps;
    }

    // A segment in another place while its own place is empty, also after a repair that ended within an exchange. One at a time, like an exchange, since it changes the next step.
    private RepairStep? PlanMove(FileSegments files)
    {
        var places = Enumerable.Range(0, (int)(files.Count - files.First)).Select(index => files.FileOf(files.First + index));
        foreach (var path in places.SelectMany(static place => new[] { place, place + SegmentFileName.Exchanged }))
        {
            var header = ReadHeader(path, 0);
            if (header.IsWhole && !header.IsNewer && header.QueueId == _control.Id && files.IsOpen(header.Number) && files.FileOf(header.Number) is var own && MappedFile.IsDeleted(own))
            {
                return new RepairStep($"move {Path.GetFileName(path)} to {Path.GetFileName(own)}: it is segment {header.Number}", () => Move(path, own));
            }
        }

        return null;
    }

    private RepairStep? PlanExchange(FileSegments files)
    {
        for (var number = files.First; number < files.Count; number++)
        {
            var path = files.FileOf(number);
            var header = ReadHeader(path, 0);
            if (header.IsOfOther(_control, number) && header.QueueId == _control.Id && files.IsOpen(header.Number)
                && files.FileOf(header.Number) is var other && ReadHeader(other, 0).IsOfOther(_control, header.Number))
            {
                return new RepairStep($"exchange {Path.GetFileName(path)} and {Path.GetFileName(other)}: it is segment {header.Number}", () => Exchange(path, other));
            }
        }

        return null;
    }

    private RepairStep? PlanHeader(FileSegments files, long number, string path)
    {
        var header = ReadHeader(path, 0);
        if (header.IsNewer || header.IsOf(_control, number))
        {
            return null;
        }

        var name = Path.GetFileName(path);
        if (header.IsOfOther(_control, number))
        {
            return new RepairStep($"put {name}, which is segment {header.Number} of the queue {header.QueueId}, into lost+found, and make it anew, as padding: its messages are lost", () =>
            {
                Save(number * SegmentBytes, path, 0, SegmentBytes, $"it is segment {header.Number} of the queue {header.QueueId}");
                FileMapping.Delete(path);
                MakePadding(files, number);
            });
        }

        return new RepairStep($"write the header of {name} anew, and keep it in lost+found", () =>
        {
            Save(number * SegmentBytes, path, 0, SegmentHeader.Bytes, "the header of the segment is damaged");
            files.RestoreHeader(number);
        });
    }

    /// <summary>Requires some segment to be of the queue that the control file describes, unless their headers say nothing.</summary>
    public static void RequireOwnControl(ControlMap control, IEnumerable<SegmentHeader> headers)
    {
        List<Guid> ids = [.. headers.Where(static header => header.IsWhole).Select(static header => header.QueueId).Distinct()];
        if (ids is [var id] && id != control.Id)
        {
            var rebuild = control.Mode == QueueMode.Durable ? ", or make a new one by `repair --rebuild-control`" : "";
            throw new QueueCorruptedException(control.Path, control.OffsetOf(ref control.Header.Id), $"it is the control file of the queue {control.Id}, but all segments are of the queue {id}. Put its own one back{rebuild}");
        }
    }

    /// <summary>Reads the header at an offset of a file; zeros if there is none. A file that cannot be read may be whole, so it is reported by an exception.</summary>
    /// <exception cref="IOException">The disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public static SegmentHeader ReadHeader(string path, long offset)
    {
        var header = default(SegmentHeader);
        if (MappedFile.LengthOf(path) > 0)
        {
            using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
            RandomAccess.Read(file, MemoryMarshal.AsBytes(new Span<SegmentHeader>(ref header)), offset);
        }

        return header;
    }

    private static void Exchange(string left, string right)
    {
        var aside = left + SegmentFileName.Exchanged;
        Move(left, aside);
        Move(right, left);
        Move(aside, right);
    }

    private static void Move(string path, string place)
    {
        File.Move(path, place);
        DiskFlush.OfDirectory(Path.GetDirectoryName(place)!);
    }

    /// <summary>Truncates a file, or extends it with zeros. The zeros are written: a program that writes to a mapped hole of a full disk is killed.</summary>
    public static void SetLength(string path, long bytes)
    {
        FileMapping.EndKept();
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        var zeros = new byte[WriteBytes];
        for (var at = RandomAccess.GetLength(file); at < bytes; at += zeros.Length)
        {
            RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(zeros.Length, bytes - at)), at);
        }

        RandomAccess.SetLength(file, bytes);
    }

    private void MakePadding(FileSegments files, long number)
    {
        files.CreateFile(number, "repair.creating");
        using var segment = files.Map(number);
        Pad(segment, segment.Position + SegmentHeader.Bytes, SegmentBytes - SegmentHeader.Bytes);
    }

    /// <summary>Turns bytes into padding.</summary>
    // SAFETY: The segment is mapped, At checks the position, and a header lies within the aligned 16 bytes there.
    public unsafe void Pad(in Segment segment, long position, long bytes)
    {
        var record = segment.At(position);
        var word = RecordWord.Compose(RecordWord.Padding, ParticipantSlot.MembershipLock, checked((uint)bytes));
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = _control.HasChecksums ? RecordChecksum.OfPadding(position, word) : 0;
        Volatile.Write(ref *(ulong*)record, word);
        segment.File.Flush();
    }

    /// <summary>Keeps bytes of a file in lost+found.</summary>
    public void Save(long position, string path, long offset, long bytes, string reason) => LostAndFound.Save(
        _control.Directory, _control.Permissions, position, [(path, offset, bytes)], [$"The queue in '{_control.Directory}' was repaired at position {position}: {reason}."]);
}
