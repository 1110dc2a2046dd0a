using System.Diagnostics;
using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The segment files of a durable queue. A file has its final name only when it is complete, and is never shortened or reused.</summary>
internal sealed class FileSegments : SegmentStore
{
    private const string Unfinished = ".creating";

    // The pages of a new file are zeros until they are written.
    private const ulong NewFreeWord = 0;

    private readonly SpareSegment _spare;

    // The files that participants of this handle may have mapped. The end of a truncated file must not be touched.
    private readonly List<MappedSegment> _mapped = [];

    // The segments whose files existed at the first look at a queue that a crash of the machine has torn.
    private IReadOnlyList<long>? _torn;

    public FileSegments(ControlMap control, QueueEvents events)
        : base(control, events) => _spare = new SpareSegment(this);

    // After a crash of the machine, both numbers on the disk may be old. The repair corrects them; until then, the files tell which segments exist.
    public override long First => Control.MayBeTorn && StoredWhenTorn() is [var oldest, ..] ? Math.Max(oldest, FirstSegment) : FirstSegment;

    public override long Count => Control.MayBeTorn && StoredWhenTorn() is [.., var newest] ? Math.Max(newest + 1, OpenSegments) : OpenSegments;

    private long FirstSegment => Volatile.Read(ref Control.Header.FirstSegment);

    private long OpenSegments => Volatile.Read(ref Control.Header.OpenSegments);

    public override string PathOf(long position) => FileOf(position / Control.SegmentBytes);

    public override bool IsOpen(long segment) => segment >= First && segment < Count;

    public override Segment Map(long segment)
    {
        var mapped = MapAsIs(segment);
        try
        {
            HeaderOf(mapped.File).Require(Control, segment, mapped.File.Path);
            return mapped;
        }
        catch
        {
            mapped.Dispose();
            throw;
        }
    }

    /// <summary>Maps a segment whose header a crash of the machine may have damaged.</summary>
    // SAFETY: The file is as long as a segment: it was checked when it was mapped, and the segment holds the mapping.
    public unsafe Segment MapAsIs(long segment)
    {
        Debug.Assert(segment >= 0, "Segments are numbered from 0.");
        var path = FileOf(segment);
        var position = segment * Control.SegmentBytes;
        MappedFile file;
        try
        {
            file = MappedFile.Open(path, Control.Access);
        }
        catch (FileNotFoundException) when (segment < First)
        {
            throw new MessagesDeletedException(Control.Directory, position, First * Control.SegmentBytes);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            Control.RequireFile();
            throw new QueueCorruptedException(path, position, "the segment is missing or empty, or not a regular file");
        }

        if (segment < First)
        {
            // It may be another file of the same name, created by a producer that slept while the segment was opened, filled and deleted.
            file.Dispose();
            throw new MessagesDeletedException(Control.Directory, position, First * Control.SegmentBytes);
        }

        if (file.Length != Control.SegmentBytes)
        {
            var length = file.Length;
            file.Dispose();
            Control.RequireFile();
            throw new QueueCorruptedException(path, position, $"the segment has {length} bytes instead of {Control.SegmentBytes}");
        }

        PreferHugePages(file);
        AddMapped(segment, file);
        return new Segment(file, (nint)file.Start, Control.SegmentBytes, position, HeaderOf(file).FreeWord, OwnsFile: true);
    }

    public override bool TryOpen(long segment, SegmentOpener opener)
    {
        Debug.Assert(segment >= 0, "Segments are numbered from 0.");
        if (segment >= Count)
        {
            Control.RequireFile();
        }

        if (segment >= Count && !File.Exists(FileOf(segment)))
        {
            if (!Retention.TryMakeRoom(this, segment))
            {
                return false;
            }

            Create(segment, opener);

            // Others may have opened, filled and deleted the segment while this producer slept.
            if (segment < First)
            {
                TryDelete(FileOf(segment));
            }
        }

        var seen = OpenSegments;
        while (seen <= segment)
        {
            seen = Interlocked.CompareExchange(ref Control.Header.OpenSegments, segment + 1, seen);
        }

        FaultPoints.Hit(FaultPoint.SegmentCounted);
        return true;
    }

    public override bool TryHold(long segment, Action action)
    {
        // Segments are deleted only under the membership lock.
        var isOpen = IsOpen(segment) || (segment == 0 && Count == 0);
        if (isOpen)
        {
            action();
        }

        return isOpen;
    }

    /// <summary>Whether the header of a mapped segment is as it was written.</summary>
    /// <exception cref="QueueCorruptedException">The header is that of another segment or queue.</exception>
    /// <exception cref="NotSupportedException">A newer version wrote it.</exception>
    public bool HasWholeHeader(in Segment segment)
    {
        var header = HeaderOf(segment.File);
        if (header.IsWhole)
        {
            header.Require(Control, segment.Position / Control.SegmentBytes, segment.File.Path);
        }

        return header.IsWhole;
    }

    /// <summary>Creates the file of a segment, unless it exists.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="temporarySuffix">The temporary file's suffix; only one live creator may use it at a time.</param>
    /// <param name="tryTake">Gives the spare segment the temporary name.</param>
    /// <exception cref="DiskFullException">The disk has no room for it.</exception>
    public void CreateFile(long segment, string temporarySuffix, Func<string, bool>? tryTake = null) => MappedFile.Create(
        FileOf(segment),
        Control.SegmentBytes,
        Control.Permissions,
        temporarySuffix,
        file =>
        {
            PreferHugePages(file);
            HeaderOf(file) = SegmentHeader.Of(Control, segment, NewFreeWord);
        },
        tryTake);

    /// <summary>Creates a file of zeros for a later segment, unless it exists.</summary>
    /// <param name="path">The file.</param>
    /// <param name="temporarySuffix">The temporary file's suffix; only one live creator may use it at a time.</param>
    /// <param name="preparation">Its steps.</param>
    /// <exception cref="DiskFullException">The disk has no room for it.</exception>
    /// <exception cref="OperationCanceledException">The preparation ended.</exception>
    public void PrepareFile(string path, string temporarySuffix, IFilePreparation preparation) =>
        MappedFile.Create(path, Control.SegmentBytes, Control.Permissions, temporarySuffix, preparation: preparation);

    /// <summary>The suffix of the temporary files of the producer with a slot.</summary>
    public static string UnfinishedSuffix(int slot) => $"{slot}{Unfinished}";

    /// <summary>Rewrites the header of a segment.</summary>
    public void RestoreHeader(long segment)
    {
        using var mapped = MapAsIs(segment);
        HeaderOf(mapped.File) = SegmentHeader.Of(Control, segment, NewFreeWord);
        mapped.File.Flush();
    }

    /// <summary>
    /// Requires the newest segment to be there. If the number of segments were too large, retention would delete all segments that are there, or look for the age of each one that is not.
    /// The caller holds the membership lock.
    /// </summary>
    /// <exception cref="QueueCorruptedException">It is missing.</exception>
    public void RequireNewestFile()
    {
        var newest = RequireNewest();
        if (newest >= 0 && MappedFile.IsDeleted(FileOf(newest)))
        {
            Control.RequireFile();
            throw new QueueCorruptedException(FileOf(newest), newest * Control.SegmentBytes, "the newest segment is missing");
        }
    }

    /// <summary>Deletes the segments below a number. The caller holds the membership lock.</summary>
    public void DeleteBelow(long segment)
    {
        var first = First;
        if (segment > first)
        {
            // From now on, every walk begins after them; a participant that has one mapped keeps it.
            Volatile.Write(ref Control.Header.FirstSegment, segment);
        }

        var deleted = Stored().TakeWhile(number => number < segment).ToList();
        if (deleted.Count != 0 && TryFlushControl())
        {
            deleted.ForEach(number => TryDelete(FileOf(number)));
        }
    }

    // Before the disk loses one of the files, it must have the number of the first segment, and the cursors that have passed the others. Otherwise, after a crash of the machine, segments could be
    // missing before the remaining ones, or a name be told of deleted messages that it has already read.
    private bool TryFlushControl()
    {
        try
        {
            Control.FlushIfAsked();
            return true;
        }
        catch (FlushFailedException)
        {
            // The next retention tries again.
            return false;
        }
    }

    /// <summary>The numbers of the segments whose files exist, the oldest first.</summary>
    public IReadOnlyList<long> Stored() =>
    [
        .. from path in System.IO.Directory.EnumerateFiles(Control.Directory, "*" + SegmentFileName.Extension)
           let position = long.TryParse(Path.GetFileNameWithoutExtension(path), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : -1
           where position >= 0 && position % Control.SegmentBytes == 0
           orderby position
           select position / Control.SegmentBytes,
    ];

    /// <summary>The file of a segment.</summary>
    public string FileOf(long segment) => SegmentFileName.In(Control.Directory, segment * Control.SegmentBytes);

    public override void NoteLoss()
    {
        // Retention never deletes the newest segment, which producers write to. The repair after a crash of the machine deletes segments before it stops counting them.
        var newest = OpenSegments - 1;
        if (newest >= FirstSegment && MappedFile.IsDeleted(FileOf(newest)) && !Control.MayBeTorn && newest == OpenSegments - 1)
        {
            Control.NoteLoss(FileOf(newest), MappedFile.Deleted);
        }

        lock (_mapped)
        {
            foreach (var mapped in _mapped)
            {
                // The repair after a crash of the machine may have recreated a file that it had mapped.
                if (mapped.File.TryGetTarget(out var file) && !file.IsDisposed)
                {
                    Control.NoteLoss(file.Path, file.FindCut() ?? FindLoss(file, mapped.Number));
                }
            }
        }
    }

    // Retention counts a segment as gone before it deletes it. The repair after a crash of the machine runs while no participant is alive, but recreates segments beneath readers that take no part.
    private string? FindLoss(MappedFile file, long number) => !Control.IsReadOnly && file.FindLoss() is { } loss && number >= FirstSegment ? loss : null;

    public override void Leave(int slot) => _spare.Leave(slot);

    public override IReadOnlyList<int> UnfinishedSlots() =>
    [
        .. from path in System.IO.Directory.EnumerateFiles(Control.Directory, "*" + Unfinished)
           let slot = Path.GetExtension(path.AsSpan(0, path.Length - Unfinished.Length)) is ['.', .. var digits] && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : 0
           where slot is > ParticipantSlot.MembershipLock and < ParticipantSlot.Count
           select slot,
    ];

    public override void DeleteUnfinished(int slot)
    {
        foreach (var path in System.IO.Directory.EnumerateFiles(Control.Directory, "*." + UnfinishedSuffix(slot)))
        {
            TryDelete(path);
        }
    }

    public override void Dispose()
    {
    }

    // Listing the folder takes long, so it is done once.
    private IReadOnlyList<long> StoredWhenTorn()
    {
        try
        {
            return _torn ??= Stored();
        }
        catch (DirectoryNotFoundException)
        {
            Control.RequireFile();
            throw;
        }
    }

    private void AddMapped(long segment, MappedFile file)
    {
        lock (_mapped)
        {
            _mapped.RemoveAll(static mapped => !mapped.File.TryGetTarget(out var other) || other.IsDisposed);
            _mapped.Add(new MappedSegment(segment, new WeakReference<MappedFile>(file)));
        }
    }

    // Producers of one process reach the end of a segment together, and need only one file.
    private void Create(long segment, SegmentOpener opener)
    {
        lock (_spare)
        {
            if (File.Exists(FileOf(segment)))
            {
                return;
            }

            try
            {
                CreateFile(segment, UnfinishedSuffix(opener.Slot), _spare.TryTake);
                Events.NoteNewSegment();
            }
            catch (DiskFullException exception)
            {
                Events.NoteFullDisk(exception, segment * Control.SegmentBytes);
                throw;
            }

            _spare.NoteOpening(segment, opener.Slot);
        }
    }

    private static ref SegmentHeader HeaderOf(MappedFile file) => ref file.Span.Record<SegmentHeader>(0).Value;

    private void PreferHugePages(MappedFile file)
    {
        if (Control.Flush != FlushMode.EveryMessage)
        {
            HugePages.Prefer(file);
        }
    }

    // The file may be gone, or the system may refuse to delete a mapped file. The next retention tries again.
    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
        }
    }

    private sealed record MappedSegment(long Number, WeakReference<MappedFile> File);
}
