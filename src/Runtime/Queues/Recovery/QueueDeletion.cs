using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The deletion of the files of a queue without live participants. Other files stay, and so does the directory then.
/// <code>
/// 1 rename the control file: from now on the queue does not exist   2 delete all other files   3 delete the renamed one
/// </code>
/// If a process dies on the way, the renamed file tells the next deletion, and the next process that creates a queue here, to continue with step 2.
/// </summary>
internal static class QueueDeletion
{
    private const string UnfinishedName = ControlMap.FileName + ".deleting";

    private static readonly string[] Patterns =
        [ControlMap.FileName, ControlMap.FileName + ".*", RingSegments.FileName, RingSegments.FileName + ".*", "*" + SegmentFileName.Extension, "*" + SegmentFileName.Extension + ".*"];

    /// <returns>False if there is no queue.</returns>
    /// <exception cref="QueueInUseException">A producer or a consumer is alive, or a process is opening the queue.</exception>
    public static bool Run(string directory)
    {
        if (!IsThere(directory) || PermissionsOf(directory) is not { } permissions)
        {
            return false;
        }

        var membershipLease = ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock);
        if (TryLock(directory, membershipLease, permissions) is not { } membershipLock)
        {
            return false;
        }

        bool isThere;
        using (membershipLock)
        {
            // Another process may have deleted the queue since the first look.
            isThere = IsThere(directory);
            if (QueueLocation.IsQueue(directory))
            {
                RequireNobodyAlive(directory);
                File.Move(Path.Combine(directory, ControlMap.FileName), Path.Combine(directory, UnfinishedName), overwrite: true);
                FaultPoints.Hit(FaultPoint.DeletionBegun);
                DiskFlush.TryOfDirectory(directory);
            }

            Finish(directory);
            if (!OperatingSystem.IsWindows())
            {
                DeleteLast(directory, membershipLease);
            }
        }

        if (OperatingSystem.IsWindows())
        {
            // No process can delete a file that another one holds open.
            DeleteLast(directory, membershipLease);
        }

        return isThere;
    }

    // Null if another process has deleted the queue since, with the folder of the lock.
    private static FileLease? TryLock(string directory, string membershipLease, FilePermissions permissions)
    {
        try
        {
            ControlMap.CreateLeaseDirectory(directory, permissions);
            return MembershipLock.Acquire(membershipLease, permissions);
        }
        catch (DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Continues a deletion, if one was begun. The caller holds the membership lock, and the queue has no control file.</summary>
    public static void Finish(string directory)
    {
        var unfinished = Path.Combine(directory, UnfinishedName);
        if (!File.Exists(unfinished))
        {
            return;
        }

        DeleteFiles(directory, unfinished);
        FaultPoints.Hit(FaultPoint.DeletionNearlyDone);

        // The files must be gone from the disk before the note that they are to be deleted. Otherwise, no process could open or delete the rest after a crash of the machine.
        DiskFlush.TryOfDirectory(directory);
        FileMapping.Delete(unfinished);
    }

    /// <summary>Forgets a deletion that was begun: the queue is made whole again.</summary>
    public static void Forget(string directory) => File.Delete(Path.Combine(directory, UnfinishedName));

    private static bool IsThere(string directory) => QueueLocation.IsQueue(directory) || File.Exists(Path.Combine(directory, UnfinishedName));

    private static void DeleteFiles(string directory, string unfinished)
    {
        foreach (var file in Patterns.SelectMany(pattern => Directory.EnumerateFiles(directory, pattern)).Where(path => path != unfinished))
        {
            FileMapping.Delete(file);
        }

        var lostAndFound = Path.Combine(directory, LostAndFound.DirectoryName);
        if (Directory.Exists(lostAndFound))
        {
            Directory.Delete(lostAndFound, recursive: true);
        }

        var membershipLease = ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock);
        foreach (var lease in Directory.EnumerateFiles(Path.GetDirectoryName(membershipLease)!).Where(path => path != membershipLease))
        {
            File.Delete(lease);
        }
    }

    /// <summary>
    /// Deletes the lease of the membership lock, and the folders if they are empty. From the first of these steps on, another process may create a queue here: it locks a lease of its
    /// own, and all its files stay.
    /// </summary>
    private static void DeleteLast(string directory, string membershipLease)
    {
        try
        {
            File.Delete(membershipLease);
            Directory.Delete(Path.GetDirectoryName(membershipLease)!);
            if (!Directory.EnumerateFileSystemEntries(directory).Any())
            {
                Directory.Delete(directory);
            }
        }
        catch (IOException)
        {
            // Another process is creating a queue here, or holds the lease for that, or has deleted the folders too.
        }
    }

    private static void RequireNobodyAlive(string directory)
    {
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (!FileLease.TryLook(ControlMap.LeasePath(directory, slot), out var share))
            {
                throw InUse(directory, slot);
            }

            share?.Dispose();
        }
    }

    private static QueueInUseException InUse(string directory, int slot)
    {
        var what = $"The queue in '{directory}', by its participant {slot.ToString(CultureInfo.InvariantCulture)},";
        ControlMap control;
        try
        {
            control = ControlMap.Open(directory, FileAccess.Read);
        }
        catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException)
        {
            // The file that names the process is damaged, or of a newer version.
            return new QueueInUseException(what, 0, default);
        }

        try
        {
            return MembershipLock.InUse(control, slot, what);
        }
        finally
        {
            control.Release();
        }
    }

    // Those of the control file, whatever it holds; null if it is gone.
    private static FilePermissions? PermissionsOf(string directory)
    {
        try
        {
            return FilePermissions.Of(Path.Combine(directory, QueueLocation.IsQueue(directory) ? ControlMap.FileName : UnfinishedName));
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }
}
