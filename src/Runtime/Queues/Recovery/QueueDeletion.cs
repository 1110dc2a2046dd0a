using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The deletion of the files of a queue without live participants. Foreign files stay, and the directory with them.</summary>
internal static class QueueDeletion
{
    private static readonly string[] Patterns = [ControlMap.FileName, ControlMap.FileName + ".*", "ring", "ring.*", "*" + FileSegments.Extension, "*" + FileSegments.Extension + ".*"];

    /// <returns>False if there is no queue.</returns>
    /// <exception cref="QueueInUseException">A producer or a consumer is alive, or a process is opening the queue.</exception>
    public static bool Run(string directory)
    {
        if (!QueueLocation.IsQueue(directory) || PermissionsOf(directory) is not { } permissions)
        {
            return false;
        }

        var membershipLease = ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock);
        ControlMap.CreateLeaseDirectory(directory, permissions);
        bool isThere;
        using (MembershipLock.Acquire(membershipLease, permissions))
        {
            // Another process may have deleted it since the first look.
            isThere = QueueLocation.IsQueue(directory);
            if (isThere)
            {
                RequireNobodyAlive(directory);
                DeleteFiles(directory, membershipLease);
            }

            if (!OperatingSystem.IsWindows())
            {
                DeleteLast(directory, membershipLease);
            }
        }

        if (OperatingSystem.IsWindows())
        {
            // No process can delete a file that another one holds.
            DeleteLast(directory, membershipLease);
        }

        return isThere;
    }

    // The control file goes first: without it the rest cannot be opened.
    private static void DeleteFiles(string directory, string membershipLease)
    {
        foreach (var file in Patterns.SelectMany(pattern => Directory.EnumerateFiles(directory, pattern)))
        {
            FileMapping.Delete(file);
        }

        var lostAndFound = Path.Combine(directory, LostAndFound.DirectoryName);
        if (Directory.Exists(lostAndFound))
        {
            Directory.Delete(lostAndFound, recursive: true);
        }

        foreach (var lease in Directory.EnumerateFiles(Path.GetDirectoryName(membershipLease)!).Where(path => path != membershipLease))
        {
            File.Delete(lease);
        }
    }

    /// <summary>
    /// Deletes the lease of the membership lock, and the folders if they are empty. From the first of these steps on another process may make a queue here: it locks a lease of its
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
            // Another process is making a queue here, or holds the lease for that, or has deleted the folders too.
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
        var control = ControlMap.Open(directory, FileAccess.Read);
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
            return FilePermissions.Of(Path.Combine(directory, ControlMap.FileName));
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }
}
