using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The creation of a new control file for the segments of a durable queue. Id, checksums, content and epochs are in the headers of the segments. The schema text, the names, the
/// messages in flight and the starts of epochs within segments come from the old file as far as it can be read. The options that only producers need get their defaults.
/// The new file gets its name last: until then, no process can open the queue by it, and after a death another rebuild begins with the same files.
/// </summary>
internal sealed class ControlRebuild
{
    private const string UnfinishedName = ControlMap.FileName + ".rebuild.creating";

    // Each repair after a crash of the machine begins an epoch, and few such repairs happen in the life of a segment.
    private const int MostUnknownEpochs = 16;

    private readonly string _directory;
    private readonly string _path;
    private readonly List<(string Path, SegmentHeader Header)> _segments;
    private readonly SegmentHeader _newest;
    private readonly long _segmentBytes;
    private readonly long _first;
    private readonly long _count;
    private readonly byte[] _old;
    private readonly string _schemaText;

    /// <summary>Examines the files; changes nothing.</summary>
    /// <param name="directory">The directory of the queue.</param>
    /// <param name="schemaText">The text of all versions of the schema, if the old file has lost it.</param>
    /// <exception cref="QueueCorruptedException">No header of a segment is whole, or the schema is lost.</exception>
    public ControlRebuild(string directory, string? schemaText)
    {
        _directory = directory;
        _path = Path.Combine(directory, ControlMap.FileName);
        _old = MappedFile.LengthOf(_path) > 0 ? File.ReadAllBytes(_path) : [];
        _segments =
        [
            .. Directory.EnumerateFiles(directory, "*" + SegmentFileName.Extension).Order(StringComparer.Ordinal)
                .Select(static path => (path, SegmentRepair.ReadHeader(path, 0))).Where(static segment => segment.Item2.IsWhole),
        ];
        if (_segments.Count == 0)
        {
            throw new QueueCorruptedException(_path, 0, "no segment with a whole header is there, of which a control file could be made. Only durable queues have them");
        }

        // Segments of another queue may be among them.
        _segments = [.. _segments.GroupBy(static segment => segment.Header.QueueId).MaxBy(group => (group.Count(), IsOldOf(group.Key)))!];
        _newest = _segments.MaxBy(static segment => segment.Header.Number).Header;
        _segmentBytes = FindSegmentBytes();
        (_first, _count) = FindExtent();
        _schemaText = new[] { OldText(isCounted: true), OldText(isCounted: false), schemaText }.FirstOrDefault(IsSchema) ?? "";
        if (NeedsText && _schemaText.Length == 0)
        {
            throw new QueueCorruptedException(_path, ControlMap.SchemaOffset, $"the schema with the fingerprint 0x{_newest.SchemaFingerprint:X16} is lost. Give its text");
        }
    }

    // The positions in another queue's file would be meaningless here.
    private bool IsOldOfQueue => IsOldOf(_newest.QueueId);

    private ControlHeader OldHeader => MemoryMarshal.Read<ControlHeader>(_old);

    private bool NeedsText => (ContentKind)_newest.ContentKind is ContentKind.Message or ContentKind.Value;

    /// <summary>The steps.</summary>
    public IReadOnlyList<RepairStep> Steps =>
    [
        new RepairStep($"make a new control file for {_count - _first} segments of {_segmentBytes} bytes of the queue {_newest.QueueId}, and keep the old one in lost+found", Make),
        new RepairStep("make segments whole that are missing, cut off or damaged where they begin, and keep their bytes in lost+found", () => Open(MakeSegmentsWhole)),
        new RepairStep("turn the reservations of dead producers, and the rest of a segment that one left open, into padding", () => Open(PadUnfinished)),
        new RepairStep("cut off bytes after the last record, and begin another epoch", () => Open(CutEnd)),
        new RepairStep("give the new control file its name", GiveName),
    ];

    // Each whole segment says it twice, by its length and by its place. One may be truncated.
    private long FindSegmentBytes()
    {
        var lengths = _segments.Select(static segment => new FileInfo(segment.Path).Length);
        var places = from segment in _segments
                     where segment.Header.Number > 0
                     let position = long.TryParse(Path.GetFileNameWithoutExtension(segment.Path), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : 0
                     where position % segment.Header.Number == 0
                     select position / segment.Header.Number;
        return lengths.Concat(places).Where(QueueGeometry.IsValidSegmentSize).GroupBy(static bytes => bytes).MaxBy(static group => group.Count())?.Key
            ?? throw new QueueCorruptedException(_segments[0].Path, 0, "no segment has the length of one");
    }

    // A segment at either end with a damaged header belongs to the queue: its messages stay.
    private (long First, long Count) FindExtent()
    {
        var (first, last) = (_segments.Min(static segment => segment.Header.Number), _newest.Number);
        while (first > 0 && HasDamagedHeader(first - 1))
        {
            first--;
        }

        while (HasDamagedHeader(last + 1))
        {
            last++;
        }

        return (first, last + 1);
    }

    private bool HasDamagedHeader(long number)
    {
        var path = SegmentFileName.In(_directory, number * _segmentBytes);
        return MappedFile.LengthOf(path) == _segmentBytes && !SegmentRepair.ReadHeader(path, 0).IsWhole;
    }

    /// <summary>Takes the lock of the steps, so that the queue cannot be opened yet.</summary>
    /// <exception cref="QueueInUseException">A participant is alive.</exception>
    public void RunAlone(Action action)
    {
        var permissions = FilePermissions.Of(_segments[0].Path);
        ControlMap.CreateLeaseDirectory(_directory, permissions);
        using var membershipLock = MembershipLock.Acquire(ControlMap.LeasePath(_directory, ParticipantSlot.MembershipLock), permissions);
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (!FileLease.TryLook(ControlMap.LeasePath(_directory, slot), out var share))
            {
                throw new QueueInUseException($"The queue in '{_directory}', by its participant {slot},", 0, default);
            }

            share?.Dispose();
        }

        action();
    }

    private bool IsOldOf(Guid queue) => _old.Length == ControlMap.TotalBytes && OldHeader.Id == queue;

    // Bytes after the counted ones may be the remains of other content, or of a version that was not added. The count may be damaged.
    private string OldText(bool isCounted)
    {
        if (_old.Length <= ControlMap.SchemaOffset)
        {
            return "";
        }

        var text = _old.AsSpan(ControlMap.SchemaOffset);
        text = isCounted ? text[..(int)Math.Min(OldHeader.SchemaTextBytes, text.Length)] : text;
        var length = text.IndexOf((byte)0);
        return Encoding.UTF8.GetString(length < 0 ? text : text[..length]);
    }

    private bool IsSchema(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            return false;
        }

        try
        {
            return new QueueContent((ContentKind)_newest.ContentKind, text, _newest.SchemaFingerprint).HasItsFingerprint;
        }
        catch (FormatException)
        {
            return false;
        }
    }

    private void Make()
    {
        var permissions = FilePermissions.Of(_segments[0].Path);
        if (!MappedFile.IsDeleted(_path))
        {
            LostAndFound.Save(_directory, permissions, 0, [(_path, 0, _old.Length)], [$"The control file of the queue in '{_directory}' was made anew."]);
        }

        var options = new MessageQueueOptions
        {
            Mode = QueueMode.Durable,
            Producers = ProducerMode.Multiple,
            SegmentBytes = _segmentBytes,
            Flush = _segments.Exists(segment => segment.Header.HasChecksum(segment.Header.Number * _segmentBytes)) ? FlushMode.Interval : FlushMode.None,
        };

        // From now on, no program continues a deletion of the queue that was begun.
        QueueDeletion.Forget(_directory);

        // The file of a rebuild that died may be in the state of any step.
        File.Delete(Path.Combine(_directory, UnfinishedName));
        ControlMap.Create(_directory, new QueueGeometry(options, QueueMode.Durable), options, permissions, UnfinishedName);
        Open(queue => Fill(queue.Control));
    }

    // The old file stays until then: if the process dies before, no name is lost.
    private void GiveName()
    {
        File.Move(Path.Combine(_directory, UnfinishedName), _path, overwrite: true);
        DiskFlush.OfDirectory(_directory);
    }

    private void Open(Action<QueueHandle> action)
    {
        var queue = QueueHandle.Open(_directory, name: UnfinishedName);
        try
        {
            action(queue);
        }
        finally
        {
            queue.Release();
        }
    }

    private void Fill(ControlMap control)
    {
        ref var header = ref control.Header;
        header.Id = _newest.QueueId;
        FillEpochs(ref header);
        header.FirstSegment = _first;
        header.OpenSegments = _count;
        header.TailHint = (_count - 1) * _segmentBytes;
        header.DurablePosition = header.FirstSegment * _segmentBytes;
        if (NeedsText)
        {
            header.SchemaTextBytes = (uint)Encoding.UTF8.GetBytes(_schemaText, control.SchemaText);
            header.SchemaFingerprint = (ContentKind)_newest.ContentKind == ContentKind.Value
                ? _newest.SchemaFingerprint
                : new QueueContent(ContentKind.Message, _schemaText, 0).Versions[^1].Fingerprint;
        }

        header.ContentKind = _newest.ContentKind;
        if (IsOldOfQueue)
        {
            TakeNames(control);
        }

        control.FlushToDisk();
    }

    // The names end at the first record that was never used, so the record of a name that is lost becomes that of a deleted one.
    private void TakeNames(ControlMap control)
    {
        var old = MemoryMarshal.Cast<byte, CursorRecord>(_old.AsSpan(ControlMap.CursorsOffset, CursorRecord.Count * CursorRecord.Bytes));
        for (var (index, isLater) = (old.Length - 1, false); index >= 0; index--)
        {
            ref var cursor = ref control.Cursor(index);
            if (old[index].Kind != 0 && CursorNames.IsPossible(in old[index], old[index].Kind))
            {
                cursor = old[index];
                cursor.OwnerSlot = 0;
                cursor.OwnerDied = 1;
                if (OldHeader.BootId != MachineBoot.Id)
                {
                    // The cursor may be older than the last delivered message. The cut moves this position to the end.
                    cursor.ReadPosition = _count * _segmentBytes;
                }

                if (cursor.Kind == CursorRecord.GroupKind)
                {
                    // The slots of its members, and the messages in them, are not carried over.
                    cursor.ReturnToDone(_first * _segmentBytes);
                }

                isLater = true;
            }
            else if (isLater)
            {
                cursor.Kind = CursorRecord.DeletedKind;
            }
        }
    }

    // An epoch begins within a segment, or with one. The header of a segment has the epoch in which it was opened.
    private void FillEpochs(ref ControlHeader header)
    {
        if (IsOldOfQueue && OldHeader.Epoch - _newest.Epoch < ControlHeader.KeptEpochs)
        {
            header.Epoch = OldHeader.Epoch;
            header.EpochStarts = OldHeader.EpochStarts;
            return;
        }

        header.Epoch = Math.Max(_segments.Min(static segment => segment.Header.Epoch), ControlHeader.FirstEpoch);
        foreach (var (_, segment) in _segments.OrderBy(static segment => segment.Header.Number))
        {
            for (var epoch = header.Epoch + 1; epoch <= segment.Epoch; epoch++)
            {
                header.EpochStarts[(int)(epoch % ControlHeader.KeptEpochs)] = segment.Number * _segmentBytes;
            }

            header.Epoch = Math.Max(header.Epoch, segment.Epoch);
        }

        // Epochs that began within the newest segment are lost, and so may be those of their messages that consumers remember. No other message may get such an id.
        for (var unknown = 0; unknown < MostUnknownEpochs; unknown++)
        {
            header.Epoch++;
            header.EpochStarts[(int)(header.Epoch % ControlHeader.KeptEpochs)] = long.MaxValue;
        }
    }

    // Segments that cannot be mapped may hold reservations too. An exchange or a move changes the next steps.
    private void MakeSegmentsWhole(QueueHandle queue)
    {
        if (_count - _first > _segments.Count + QueueInspection.MostMissing)
        {
            return;
        }

        var repair = new SegmentRepair(queue);
        for (var steps = repair.PlanSegments(); steps.Count > 0; steps = repair.PlanSegments())
        {
            foreach (var step in steps)
            {
                step.Take();
            }
        }
    }

    // The slots of their owners are free. The next live owner of such a slot would be mistaken for that of the reservation.
    private void PadUnfinished(QueueHandle queue)
    {
        var marks = new ControlMarks(queue.Control);
        foreach (var number in ((FileSegments)queue.Segments).Stored().Where(number => number >= _first && number < _count))
        {
            try
            {
                using var segment = queue.Segments.Map(number);
                PadReservations(queue.Segments, segment, marks);
                if (number == _count - 2)
                {
                    FillUp(queue, segment);
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException)
            {
                // The next rounds of the repair report it.
            }
        }
    }

    // Returns the position after the last record; damaged records stay.
    private static long PadReservations(SegmentStore segments, in Segment segment, ControlMarks marks)
    {
        var end = segment.Position + segment.Bytes;
        for (var position = segment.Position; position < end;)
        {
            try
            {
                position = segments.FindEndFrom(segment, position);
            }
            catch (QueueCorruptedException damage)
            {
                position = new SoundRecords(segments, segment, marks).FindAfter(damage.Position);
                continue;
            }

            var word = position < end ? Volatile.Read(ref segment.Word(position)) : 0;
            if (RecordWord.State(word) != RecordWord.Reserved)
            {
                return position;
            }

            segments.TryPadReservation(segment, position, word);
        }

        return end;
    }

    // A single producer opens a segment before it pads the rest of the last one, and may die in between. Many producers continue in the newest segment, and readers would stop in the one before it.
    private static void FillUp(QueueHandle queue, in Segment segment)
    {
        var end = segment.Position + segment.Bytes;
        using var newest = queue.Segments.Map(end / segment.Bytes);
        var position = queue.Segments.FindEndFrom(segment, segment.Position);
        if (position < end && Volatile.Read(ref segment.Word(position)) == segment.FreeWord && Volatile.Read(ref newest.Word(end + SegmentHeader.Bytes)) == newest.FreeWord)
        {
            new SegmentRepair(queue).Pad(segment, position, end - position);
        }
    }

    // A single producer may have left bytes after the last record, but the new queue is for many. The next rounds of the repair turn damaged records before the end into padding.
    private void CutEnd(QueueHandle queue)
    {
        var segments = (FileSegments)queue.Segments;
        try
        {
            long end;
            using (var newest = segments.Map(segments.Count - 1))
            {
                end = PadReservations(segments, newest, new ControlMarks(queue.Control));
            }

            new CrashRecovery(segments, end).Run();
            queue.Flusher.TryFlushThrough(long.MaxValue, new LivenessProbe(queue.Control));
        }
        catch (QueueCorruptedException)
        {
            // The newest segment cannot be mapped: the next rounds of the repair report it.
        }
    }
}
