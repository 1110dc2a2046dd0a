using System.Globalization;

namespace BufferedMessages.Queues;

/// <summary>The inspection of the folder: files that no part of the queue uses, and segments after the end.</summary>
/// <param name="queue">The queue.</param>
/// <param name="count">The number of open segments when the inspection began.</param>
internal sealed class FileInspector(QueueHandle queue, long count)
{
    private readonly ControlMap _control = queue.Control;
    private readonly string _leases = Path.GetDirectoryName(ControlMap.LeasePath(queue.Control.Directory, ParticipantSlot.MembershipLock))!;
    private readonly List<Finding> _findings = [];

    /// <summary>Finds them, in the order of their paths.</summary>
    public IReadOnlyList<Finding> Inspect()
    {
        // A crash of the machine may have taken the empty files, and the repair makes the folder anew. A deletion of the queue takes the control file first.
        if (HasNoLeases() && !_control.MayBeTorn && File.Exists(_control.Path))
        {
            _findings.Add(new Finding(FindingKind.Damage, _leases, Position: null, SlotLease.MissingFolder));
        }

        foreach (var path in Directory.EnumerateFileSystemEntries(_control.Directory).Order(StringComparer.Ordinal))
        {
            var name = Path.GetFileName(path);
            if (name == Path.GetFileName(_leases))
            {
                InspectLeases();
            }
            else if (name.EndsWith(SegmentFileName.Extension, StringComparison.Ordinal) && _control.Mode == QueueMode.Durable)
            {
                InspectSegment(path, name);
            }
            else if (name.EndsWith(SegmentFileName.Extension + SegmentFileName.Exchanged, StringComparison.Ordinal))
            {
                AddUnlessGone(path, "a segment that a repair was exchanging when it ended; the next repair needs it");
            }
            else if (!IsExpected(name))
            {
                AddUnlessGone(path, name.EndsWith(".creating", StringComparison.Ordinal) ? "an unfinished file: a process is creating it now, or died while it created it" : "the queue has no such file");
            }
        }

        return _findings;
    }

    // A durable queue has no ring, and a bounded one has no spare segment. The packages of bridges and of hosting keep journals, dead letters and replies in folders of the queue.
    private bool IsExpected(string name) =>
        name == ControlMap.FileName || name == LostAndFound.DirectoryName || name == (_control.Mode == QueueMode.Durable ? SpareSegment.FileName : RingSegments.FileName)
        || name is "bridges" or DeadLetterNames.Folder or "replies";

    private bool HasNoLeases()
    {
        try
        {
            using var leases = Directory.EnumerateFileSystemEntries(_leases).GetEnumerator();
            return false;
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (IOException) when (new FileInfo(_leases) is { Exists: true, LinkTarget: null })
        {
            return true;
        }
    }

    private void InspectLeases()
    {
        if (!Directory.Exists(_leases))
        {
            return;
        }

        foreach (var path in Directory.EnumerateFileSystemEntries(_leases).Order(StringComparer.Ordinal))
        {
            if (!int.TryParse(Path.GetFileName(path), NumberStyles.None, CultureInfo.InvariantCulture, out var slot) || slot >= ParticipantSlot.Count)
            {
                AddUnlessGone(path, "the lease of no participant");
            }
        }
    }

    private void InspectSegment(string path, string name)
    {
        var segments = (FileSegments)queue.Segments;
        var isPosition = long.TryParse(Path.GetFileNameWithoutExtension(name), NumberStyles.None, CultureInfo.InvariantCulture, out var position);
        var number = position / _control.SegmentBytes;
        if (!isPosition || position % _control.SegmentBytes != 0 || segments.FileOf(number) != path)
        {
            AddUnlessGone(path, "no segment can have this name");
        }
        else if (number < segments.First)
        {
            AddUnlessGone(path, "a segment that retention gave up; the next retention deletes it");
        }
        else if (number >= Math.Max(count, segments.Count) && !_control.MayBeTorn)
        {
            InspectLater(segments, number, position, path);
        }
    }

    // A producer creates the file of the next segment before it counts it, and may die in between. It counts it before it reserves a record there.
    private void InspectLater(FileSegments segments, long number, long position, string path)
    {
        var hasRecords = false;
        try
        {
            using var segment = segments.Map(number);
            hasRecords = Volatile.Read(ref segment.Word(position + SegmentHeader.Bytes)) != segment.FreeWord;
        }
        catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException or NotSupportedException)
        {
            // It is not a segment of this queue.
        }

        if (hasRecords && number >= segments.Count)
        {
            AddTooFewSegments(path);
        }
        else if (!hasRecords && number > segments.Count)
        {
            AddUnlessGone(path, "a segment after the end of the queue");
        }
    }

    // The number of segments may be the only damage, so no segment is called damaged. The first one after it is enough.
    private void AddTooFewSegments(string path)
    {
        if (_findings.TrueForAll(finding => finding.File != _control.Path))
        {
            _findings.Add(new Finding(
                FindingKind.Damage,
                _control.Path,
                _control.OffsetOf(ref _control.Header.OpenSegments),
                $"the queue cannot end before {Path.GetFileName(path)}, which has records. Make a new control file by `repair --rebuild-control`"));
        }
    }

    private void AddUnlessGone(string path, string text)
    {
        if (File.Exists(path) || Directory.Exists(path))
        {
            _findings.Add(new Finding(FindingKind.Orphan, path, Position: null, text));
        }
    }
}
