using System.Runtime.InteropServices;
using System.Text;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Queues;

/// <summary>
/// The making of a new control file for the segments of a durable queue. Id, checksums, content and epoch are in the headers of the segments; the schema text and the names come
/// from the old file as far as
/// that can be read. The options that only producers need are the defaults.
/// </summary>
internal sealed class ControlRebuild
{
    private readonly string _directory;
    private readonly string _path;
    private readonly List<(string Path, SegmentHeader Header)> _segments;
    private readonly SegmentHeader _newest;
    private readonly long _segmentBytes;
    private readonly byte[] _old;
    private readonly string _schemaText;

    /// <summary>Looks at the files; changes nothing.</summary>
    /// <param name="directory">The directory of the queue.</param>
    /// <param name="schemaText">The text of all versions of the schema, if the old file has lost it.</param>
    /// <exception cref="QueueCorruptedException">No header of a segment is whole, or the schema is lost.</exception>
    public ControlRebuild(string directory, string? schemaText)
    {
        _directory = directory;
        _path = Path.Combine(directory, ControlMap.FileName);
        _old = File.Exists(_path) && !MappedFile.HasNoContent(_path) ? File.ReadAllBytes(_path) : [];
        _segments =
        [
            .. Directory.EnumerateFiles(directory, "*" + FileSegments.Extension).Order(StringComparer.Ordinal)
                .Select(static path => (path, SegmentRepair.ReadHeader(path, 0))).Where(static segment => segment.Item2.IsWhole),
        ];
        if (_segments.Count == 0)
        {
            throw new QueueCorruptedException(_path, 0, "no segment with a whole header is there, of which a control file could be made. Only durable queues have them");
        }

        _newest = _segments.MaxBy(static segment => segment.Header.Number).Header;
        _segmentBytes = new FileInfo(_segments[0].Path).Length;
        _schemaText = new[] { OldText(), schemaText }.FirstOrDefault(IsSchema) ?? "";
        if (NeedsText && _schemaText.Length == 0)
        {
            throw new QueueCorruptedException(_path, ControlMap.SchemaOffset, $"the schema with the fingerprint 0x{_newest.SchemaFingerprint:X16} is lost. Give its text");
        }
    }

    private bool NeedsText => (ContentKind)_newest.ContentKind is ContentKind.Message or ContentKind.Value;

    /// <summary>The steps.</summary>
    public IReadOnlyList<RepairStep> Steps =>
    [
        new RepairStep($"make a new control file for {_segments.Count} segments of {_segmentBytes} bytes of the queue {_newest.QueueId}, and keep the old one in lost+found", Make),
        new RepairStep("cut off bytes after the last record, and begin another epoch", () => Open(CutEnd)),
    ];

    /// <summary>Takes the steps' lock: the queue cannot be opened yet.</summary>
    /// <exception cref="QueueInUseException">A participant is alive.</exception>
    public void RunAlone(Action action)
    {
        var permissions = FilePermissions.Of(File.Exists(_path) ? _path : _segments[0].Path);
        ControlMap.CreateLeaseDirectory(_directory, permissions);
        using var membershipLock = MembershipLock.Acquire(ControlMap.LeasePath(_directory, ParticipantSlot.MembershipLock), permissions, holder: null);
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

    private string OldText()
    {
        if (_old.Length <= ControlMap.SchemaOffset)
        {
            return "";
        }

        var text = _old.AsSpan(ControlMap.SchemaOffset);
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
            var content = new QueueContent((ContentKind)_newest.ContentKind, text, _newest.SchemaFingerprint);
            return content.Kind == ContentKind.Value
                ? XxHash64.Hash(Encoding.UTF8.GetBytes(text)) == _newest.SchemaFingerprint
                : content.Versions.Any(version => version.Fingerprint == _newest.SchemaFingerprint);
        }
        catch (FormatException)
        {
            return false;
        }
    }

    private void Make()
    {
        var permissions = FilePermissions.Of(_segments[0].Path);
        if (File.Exists(_path))
        {
            LostAndFound.Save(_directory, permissions, 0, [(_path, 0, _old.Length)], [$"The control file of the queue in '{_directory}' was made anew."]);
            File.Delete(_path);
        }

        var options = new MessageQueueOptions
        {
            Mode = QueueMode.Durable,
            Producers = ProducerMode.Multiple,
            SegmentBytes = _segmentBytes,
            Flush = _newest.SizeAndChecksum == 0 ? FlushMode.None : FlushMode.Interval,
        };
        ControlMap.Create(_directory, new QueueGeometry(options, QueueMode.Durable), options, permissions);
        Open(Fill);
    }

    private void Open(Action<QueueHandle> action)
    {
        var queue = QueueHandle.Open(_directory);
        try
        {
            action(queue);
        }
        finally
        {
            queue.Release();
        }
    }

    private void Fill(QueueHandle queue)
    {
        var control = queue.Control;
        ref var header = ref control.Header;
        header.Id = _newest.QueueId;
        header.Epoch = Math.Max(_newest.Epoch, ControlHeader.FirstEpoch);
        header.FirstSegment = _segments.Min(static segment => segment.Header.Number);
        header.OpenSegments = _newest.Number + 1;
        header.TailHint = _newest.Number * _segmentBytes;
        header.DurablePosition = header.FirstSegment * _segmentBytes;
        if (NeedsText)
        {
            header.SchemaTextBytes = (uint)Encoding.UTF8.GetBytes(_schemaText, control.SchemaText);
            header.SchemaFingerprint = (ContentKind)_newest.ContentKind == ContentKind.Value
                ? _newest.SchemaFingerprint
                : new QueueContent(ContentKind.Message, _schemaText, 0).Versions[^1].Fingerprint;
        }

        header.ContentKind = _newest.ContentKind;
        // The positions of another queue's names would mean nothing here.
        if (_old.Length == ControlMap.TotalBytes && MemoryMarshal.Read<ControlHeader>(_old).Id == _newest.QueueId)
        {
            TakeNames(control);
        }

        control.FlushToDisk();
    }

    private void TakeNames(ControlMap control)
    {
        var old = MemoryMarshal.Cast<byte, CursorRecord>(_old.AsSpan(ControlMap.CursorsOffset, CursorRecord.Count * CursorRecord.Bytes));
        for (var index = 0; index < old.Length && old[index] is { Kind: > 0 and <= CursorRecord.DeletedKind, NameBytes: <= CursorRecord.MaxNameBytes }; index++)
        {
            control.Cursor(index) = old[index];
            control.Cursor(index).OwnerSlot = 0;
            control.Cursor(index).OwnerDied = 1;
        }
    }

    // A single producer may have left bytes after the last record, and the new queue is for many.
    private void CutEnd(QueueHandle queue)
    {
        var segments = (FileSegments)queue.Segments;
        try
        {
            var newest = segments.Count - 1;
            new CrashRecovery(segments, segments.FindClaimedEnd(newest, segments.Count * _segmentBytes)).Run();
        }
        catch (QueueCorruptedException)
        {
            // A record is damaged: the next rounds of the repair turn it into padding.
        }
    }
}
