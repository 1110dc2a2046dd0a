using System.Runtime.ExceptionServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The inspection of a whole queue: the control file, all records, and all files of the folder. It takes no part in the queue and changes no byte, so the queue may be in use. Words
/// of the control file are read before the log, and the log is read before they are compared: a position that a participant stores in between is not a fault.
/// </summary>
internal sealed class QueueInspection
{
    /// <summary>The most missing segment files that may have been deleted by hand. If more are missing, the number of segments is damaged.</summary>
    public const int MostMissing = 1_000;

    private readonly string _directory;
    private readonly InspectionDepth _depth;
    private readonly Action<long> _progress;
    private readonly CancellationToken _token;
    private readonly List<Finding> _findings = [];

    private QueueInspection(string directory, InspectionDepth depth, Action<long> progress, CancellationToken token)
    {
        _directory = directory;
        _depth = depth;
        _progress = progress;
        _token = token;
    }

    /// <summary>Inspects a queue.</summary>
    /// <param name="directory">Its directory.</param>
    /// <param name="depth">The bytes to look at.</param>
    /// <param name="progress">Called by several threads with the number of bytes that were inspected since the last call.</param>
    /// <param name="token">Ends the inspection.</param>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    /// <exception cref="NotSupportedException">A newer version created the queue.</exception>
    public static InspectionReport Run(string directory, InspectionDepth depth, Action<long> progress, CancellationToken token) =>
        new QueueInspection(directory, depth, progress, token).Run();

    /// <summary>Counts the bytes of the segments that an inspection will walk over.</summary>
    public static long MeasureLog(string directory) =>
        Directory.EnumerateFiles(directory).Where(static path => path.EndsWith(SegmentFileName.Extension, StringComparison.Ordinal) || Path.GetFileName(path) == RingSegments.FileName)
            .Sum(static path => new FileInfo(path) is { Exists: true } file ? file.Length : 0);

    private InspectionReport Run()
    {
        var control = Path.Combine(_directory, ControlMap.FileName);
        if (MappedFile.IsDeleted(control) && HasMessages() && MappedFile.IsDeleted(control))
        {
            return new InspectionReport([new Finding(FindingKind.Damage, control, 0, "the control file is missing, but segments or a ring are there")], 0, 0, 0, 0, 0, 0);
        }

        QueueHandle queue;
        try
        {
            queue = QueueHandle.Open(_directory, FileAccess.Read);
        }
        catch (QueueCorruptedException exception)
        {
            return new InspectionReport([Finding.Damage(exception)], 0, 0, 0, 0, 0, 0);
        }

        try
        {
            return Run(queue);
        }
        finally
        {
            queue.Release();
        }
    }

    // A queue that is still being created has a ring, but no segment in it.
    private bool HasMessages() =>
        Directory.EnumerateFiles(_directory, "*" + SegmentFileName.Extension).Any() || RingSegments.HasMessages(Path.Combine(_directory, RingSegments.FileName));

    private InspectionReport Run(QueueHandle queue)
    {
        var control = queue.Control;
        var marks = new ControlMarks(control);
        _findings.AddRange(new ControlInspector(control).Inspect());
        _findings.AddRange(marks.Impossible);
        var segments = queue.Segments;
        var reports = new List<SegmentReport>();
        if (!TryInspectRing(segments))
        {
            return Report(reports, 0, 0);
        }

        var (first, count) = (segments.First, segments.Count);
        var isTorn = control.MayBeTorn;
        var limit = isTorn ? FindTornEnd((FileSegments)segments) : long.MaxValue;
        var walked = Math.Min(count, SegmentsBefore(limit, control.SegmentBytes));
        if (!HasPossibleCount(segments, marks, first, walked))
        {
            return Report(reports, first, first * control.SegmentBytes);
        }

        if (limit >= 0)
        {
            reports = Walk(segments, marks, first, walked, limit);
            if (!isTorn)
            {
                InspectEnds(segments, marks, reports, first);
            }
        }

        _findings.AddRange(reports.SelectMany(static report => report.Findings));
        _findings.AddRange(new FileInspector(queue, count).Inspect());
        return Report(reports, first, reports.Count == 0 ? first * control.SegmentBytes : reports[^1].End);
    }

    private InspectionReport Report(List<SegmentReport> reports, long first, long end) => new(
        _findings,
        reports.Count(static report => !report.IsGone),
        reports.Sum(static report => report.Messages),
        reports.Sum(static report => report.PayloadBytes),
        reports.Sum(static report => report.Unfinished),
        first,
        end);

    private bool TryInspectRing(SegmentStore segments)
    {
        try
        {
            if (segments.Control.Mode == QueueMode.Bounded && segments.Count > 0)
            {
                segments.Map(segments.Count - 1).Dispose();
            }
        }
        catch (QueueCorruptedException exception) when (exception.File == segments.Control.Path || exception.Fault.StartsWith("the ring ", StringComparison.Ordinal))
        {
            // The inspection of the tables may have found it already.
            if (_findings.TrueForAll(finding => finding.File != exception.File || finding.Position != exception.Position))
            {
                _findings.Add(Finding.Damage(exception));
            }

            return false;
        }
        catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException)
        {
            // The walk finds it again.
        }

        return true;
    }

    private bool HasPossibleCount(SegmentStore segments, ControlMarks marks, long first, long count)
    {
        var stored = segments is FileSegments files ? files.Stored().Count : segments.Control.Slots;
        if (count - first <= stored + MostMissing && !IsTooLarge(segments, marks, count))
        {
            return true;
        }

        ref var counted = ref segments.Control.Header.OpenSegments;
        _findings.Add(new Finding(
            FindingKind.Damage,
            segments.Control.Path,
            segments.Control.OffsetOf(ref counted),
            $"the queue cannot have {count - first} segments, because {stored} files are there. Make a new control file by `repair --rebuild-control`"));
        return false;
    }

    // If later segments had records and were lost, a position of the control file still leads there. Otherwise a repair would create segments that never were.
    private static bool IsTooLarge(SegmentStore segments, ControlMarks marks, long count) =>
        segments is FileSegments files && files.Stored() is [.., var newest] && count > newest + 1
        && marks.FirstFrom(((newest + 1) * segments.Control.SegmentBytes) + 1) == long.MaxValue;

    // If a segment begins at the end, not even its header was on the disk.
    private static long SegmentsBefore(long end, long segmentBytes) => (end / segmentBytes) + (end % segmentBytes == 0 ? 0 : 1);

    private long FindTornEnd(FileSegments segments)
    {
        try
        {
            var end = CrashRecovery.FindEnd(segments);
            var bytes = new CrashRecovery(segments, end).BytesAfterEnd;
            if (bytes > 0 || segments.Control.Header.OpenSegments > SegmentsBefore(end, segments.Control.SegmentBytes))
            {
                _findings.Add(new Finding(
                    FindingKind.Torn,
                    segments.PathOf(end),
                    end,
                    "the machine stopped before the rest was on the disk; the next process that opens the queue cuts it off, and keeps it in lost+found",
                    bytes));
            }

            return end;
        }
        catch (QueueCorruptedException exception)
        {
            _findings.Add(Finding.Damage(exception));
            return -1;
        }
    }

    private List<SegmentReport> Walk(SegmentStore segments, ControlMarks marks, long first, long count, long limit)
    {
        var reports = new SegmentReport[Math.Max(count - first, 0)];
        var content = ContentCheck.Of(segments.Control);
        try
        {
            Parallel.For(0, reports.Length, new ParallelOptions { CancellationToken = _token, MaxDegreeOfParallelism = Environment.ProcessorCount }, index =>
                reports[index] = new SegmentInspector(segments, _depth, content, marks, _progress, _token).Inspect(first + index, limit));
        }
        catch (AggregateException exception)
        {
            ExceptionDispatchInfo.Throw(exception.InnerExceptions[0]);
        }

        return [.. reports];
    }

    /// <summary>Finds free places before later records, and positions after the end.</summary>
    private static void InspectEnds(SegmentStore segments, ControlMarks marks, List<SegmentReport> reports, long first)
    {
        for (var index = 0; index < reports.Count - 1; index++)
        {
            var report = reports[index];
            if (report.IsOpenEnded && IsLeftOpen(segments, first + index, report.End))
            {
                report.Findings.Add(new Finding(
                    FindingKind.Damage,
                    segments.PathOf(report.End),
                    report.End,
                    "the place has no record, although later segments have some",
                    ((first + index + 1) * segments.Control.SegmentBytes) - report.End));
            }
        }

        if (reports.Count == 0 || !reports[^1].IsGone)
        {
            var end = reports.Count == 0 ? first * segments.Control.SegmentBytes : reports[^1].End;
            reports.Add(new SegmentReport { End = end, IsGone = true });
            reports[^1].Findings.AddRange(marks.After(end));
        }
    }

    // A single producer opens the next segment before it pads the rest of the last one, and pads it before it reserves a record there. One that died in between leaves it to the next.
    private static bool IsLeftOpen(SegmentStore segments, long number, long position)
    {
        try
        {
            if (segments.Control.Producers == ProducerMode.Single)
            {
                using var next = segments.Map(number + 1);
                if (Volatile.Read(ref next.Word(next.Position + SegmentHeader.Bytes)) == next.FreeWord)
                {
                    return false;
                }
            }

            using var segment = segments.Map(number);
            return Volatile.Read(ref segment.Word(position)) == segment.FreeWord && segments.IsOpen(number);
        }
        catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException or NotSupportedException)
        {
            return false;
        }
    }
}
