using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// An open queue: its control map, the segments, the flushers and the asynchronous waits, shared by all participants opened from it. It stays
/// open until the last of them releases it, so a disposed <see cref="MessageQueue"/> does not disturb its participants.
/// </summary>
internal sealed class QueueHandle
{
    // After this many deletions in a row, the path counts as one that cannot be created.
    private const int MostDeletions = 16;

    private QueueHandle(ControlMap control, Action<QueueEvent>? listener)
    {
        Control = control;
        Events = new QueueEvents(control.Directory, listener);
        Segments = SegmentStore.For(control, Events);
        Flusher = new Flusher(Segments);
        IntervalFlusher = control.Flush == FlushMode.Interval ? new IntervalFlusher(control, Flusher, Events, control.FlushToDisk) : null;
        RecordWaits = new AsyncWaits(control, WakeSignal.ForRecords(control));
        SpaceWaits = new AsyncWaits(control, WakeSignal.ForSpace(control));
        control.DisposeWithMap(Segments);
        control.DisposeWithMap(Flusher);
        if (IntervalFlusher is not null)
        {
            control.DisposeWithMap(IntervalFlusher);
        }
    }

    /// <summary>The control file, mapped.</summary>
    public ControlMap Control { get; }

    /// <summary>The events on their way to the program.</summary>
    public QueueEvents Events { get; }

    /// <summary>The queue's directory.</summary>
    public string Directory => Control.Directory;

    /// <summary>The segments with the records.</summary>
    public SegmentStore Segments { get; }

    /// <summary>Writes the segments to the disk (durable).</summary>
    public Flusher Flusher { get; }

    /// <summary>Flushes in the background, in a queue with that flush mode.</summary>
    public IntervalFlusher? IntervalFlusher { get; }

    /// <summary>The asynchronous waits of consumers.</summary>
    public AsyncWaits RecordWaits { get; }

    /// <summary>The asynchronous waits of producers.</summary>
    public AsyncWaits SpaceWaits { get; }

    /// <summary>Whether the metrics observe its participants. It is set before the first of them is opened.</summary>
    public bool IsMetered { get; set; } = true;

    /// <summary>The result of the repair that this handle ran; null if it ran none.</summary>
    public QueueRecovery? Recovery { get; private set; }

    /// <summary>Opens a queue, or creates it with the directory around it. If several callers create it, one of them wins.</summary>
    /// <param name="directory">The queue's directory.</param>
    /// <param name="options">The options, each of them valid by itself.</param>
    /// <param name="permissions">The permissions that they ask for.</param>
    /// <param name="defaultMode">The mode if none is asked for.</param>
    /// <exception cref="ArgumentException">The options contradict each other, or the existing queue.</exception>
    public static QueueHandle OpenOrCreate(string directory, MessageQueueOptions options, FilePermissions permissions, QueueMode defaultMode)
    {
        var handle = new QueueHandle(OpenOrCreateControl(directory, options, permissions, defaultMode), options.OnEvent);
        try
        {
            QueueGeometry.Require(handle.Control, options, permissions);
            handle.RecoverIfNeeded();
            Retention.Replace(handle.Control, options.Retention);
            return handle;
        }
        catch
        {
            handle.Release();
            throw;
        }
    }

    /// <summary>Opens an existing queue as it is.</summary>
    /// <param name="directory">The queue's directory.</param>
    /// <param name="access">How its files are mapped.</param>
    /// <param name="name">The name of its control file.</param>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    public static QueueHandle Open(string directory, FileAccess access = FileAccess.ReadWrite, string name = ControlMap.FileName) => new(ControlMap.Open(directory, access, name), listener: null);

    /// <summary>Repairs the queue if the machine stopped since the queue was last used.</summary>
    public void RecoverIfNeeded()
    {
        if (CrashRecovery.RunIfNeeded(Segments) is { } recovery)
        {
            Recovery = recovery;
            Events.NoteRepair(recovery);
            Events.Tell();
        }
    }

    /// <summary>Whether the queue's files were deleted, replaced or cut; the control map keeps the reason.</summary>
    public bool IsLost()
    {
        if (Control.Loss is null && TryAddReference())
        {
            try
            {
                Control.NoteLoss(Control.Path, Control.FindLoss());
                if (Control.Loss is null)
                {
                    // The look reads the control file, which must not be touched after a cut.
                    Segments.NoteLoss();
                }
            }
            finally
            {
                Release();
            }
        }

        if (Control.Loss is not { } loss)
        {
            return false;
        }

        Events.NoteLostFiles(loss);
        return true;
    }

    /// <summary>Keeps the handle open for one more user; false if it is already closed.</summary>
    public bool TryAddReference() => Control.TryAddReference();

    /// <summary>Ends one use; the last user closes the handle.</summary>
    public void Release() => Control.Release();

    private static ControlMap OpenOrCreateControl(string directory, MessageQueueOptions options, FilePermissions permissions, QueueMode defaultMode)
    {
        for (var deletions = 0; ; deletions++)
        {
            try
            {
                CreateIfMissing(directory, options, permissions, defaultMode);
                return ControlMap.Open(directory);
            }
            catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException && deletions < MostDeletions)
            {
                // Another process has deleted the queue, or the folders of the one that this process was creating.
            }
        }
    }

    private static void CreateIfMissing(string directory, MessageQueueOptions options, FilePermissions permissions, QueueMode defaultMode)
    {
        var path = Path.Combine(directory, ControlMap.FileName);
        if (File.Exists(path))
        {
            return;
        }

        // Options that contradict each other are refused before any file is touched.
        var geometry = new QueueGeometry(options, defaultMode);
        permissions.CreateFolder(directory);
        QueueLocation.RefuseForeign(directory, permissions);
        ControlMap.CreateLeaseDirectory(directory, permissions);
        FaultPoints.Hit(FaultPoint.DirectoryCreated);
        using var membershipLock = MembershipLock.Acquire(ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock), permissions);
        if (File.Exists(path))
        {
            return;
        }

        QueueDeletion.Finish(directory);
        RefuseSegmentsWithoutControl(directory, path);
        if (geometry.Mode == QueueMode.Bounded)
        {
            RingSegments.CreateFile(directory, geometry.Slots * geometry.SegmentBytes, permissions);
            FaultPoints.Hit(FaultPoint.RingCreated);
        }

        ControlMap.Create(directory, geometry, options, permissions);
        if (geometry.Mode == QueueMode.Durable)
        {
            FlushNames(directory);
        }
    }

    // A crash of the machine must not leave segments whose control file has no name, nor remove a folder in which messages are on the disk. Any of the folders may be new: another
    // creator may have made it, and died.
    private static void FlushNames(string directory)
    {
        for (var folder = directory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            DiskFlush.TryOfDirectory(folder);
        }
    }

    // Segments without a control file are the rest of a queue whose geometry and cursors are lost. They must not be overwritten.
    // A ring is checked when it is created: one without messages was left by a creator that died.
    private static void RefuseSegmentsWithoutControl(string directory, string path)
    {
        if (System.IO.Directory.GetFiles(directory, "*" + SegmentFileName.Extension).Length != 0)
        {
            throw new QueueCorruptedException(path, 0, "the control file is missing, but segments are there");
        }
    }
}
