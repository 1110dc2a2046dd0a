using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The lease of a participant slot. All of them are files in one folder, which is as much a part of the queue as its control file is.</summary>
internal static class SlotLease
{
    /// <summary>The damage of a queue without the folder.</summary>
    public const string MissingFolder =
        "the folder is missing, and without its locks no process can tell which producers and consumers are alive; create it again when all programs that use the queue have ended";

    /// <summary>Takes the lease, or returns null if a live process holds or shares it.</summary>
    /// <exception cref="StaleQueueException">The queue was deleted, renamed or replaced.</exception>
    /// <exception cref="QueueCorruptedException">The folder of the leases alone was deleted.</exception>
    public static FileLease? TryAcquire(ControlMap control, int slot) => Open(control, slot, FileLease.TryAcquire);

    /// <summary>Takes the lease as <see cref="FileLease.TryAcquireVerified"/> does.</summary>
    /// <inheritdoc cref="TryAcquire" path="/exception"/>
    public static FileLease? TryAcquireVerified(ControlMap control, int slot) => Open(control, slot, FileLease.TryAcquireVerified);

    /// <summary>Shares the lease, or returns null if a live process holds it.</summary>
    /// <inheritdoc cref="TryAcquire" path="/exception"/>
    public static FileLease? TryAcquireShare(ControlMap control, int slot) => Open(control, slot, FileLease.TryAcquireShare);

    /// <summary>Shares the lease as <see cref="FileLease.TryLook"/> does.</summary>
    /// <exception cref="StaleQueueException">The queue was deleted, renamed or replaced.</exception>
    public static bool TryLook(ControlMap control, int slot, out FileLease? share)
    {
        var isFree = FileLease.TryLook(ControlMap.LeasePath(control.Directory, slot), out share);
        if (isFree)
        {
            RequireOwn(control, share);
        }

        return isFree;
    }

    private static FileLease? Open(ControlMap control, int slot, Func<string, FilePermissions, FileLease?> open)
    {
        var path = ControlMap.LeasePath(control.Directory, slot);
        try
        {
            var lease = open(path, control.Permissions);
            if (lease is not null)
            {
                RequireOwn(control, lease);
            }

            return lease;
        }
        catch (DirectoryNotFoundException)
        {
            control.RequireFile();
            throw new QueueCorruptedException(Path.GetDirectoryName(path)!, 0, MissingFolder);
        }
        catch (FileNotFoundException)
        {
            // A queue that is renamed takes with it a lease that is being created at the moment.
            control.RequireFile();
            throw;
        }
    }

    // The queue may have been deleted or renamed before. The lease may then belong to another queue in its place, and says nothing about the participants of this one.
    private static void RequireOwn(ControlMap control, FileLease? lease)
    {
        try
        {
            control.RequireFile();
        }
        catch
        {
            lease?.Dispose();
            throw;
        }
    }
}
