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

        ControlMap.CreateLeaseDirectory(directory, permissions);
        using (MembershipLock.Acquire(ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock), permissions, holder: null))
        {
            RequireNobodyAlive(directory);

            // The control file goes first: without it the rest cannot be opened.
            foreach (var file in Patterns.SelectMany(pattern => Directory.EnumerateFiles(directory, pattern)))
            {
                File.Delete(file);
            }
        }

        DeleteFolder(Path.GetDirectoryName(ControlMap.LeasePath(directory, ParticipantSlot.MembershipLock))!);
        DeleteFolder(Path.Combine(directory, LostAndFound.DirectoryName));
        if (!Directory.EnumerateFileSystemEntries(directory).Any())
        {
            Directory.Delete(directory);
        }

        return true;
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

    private static void DeleteFolder(string path)
    {
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }
    }
}
