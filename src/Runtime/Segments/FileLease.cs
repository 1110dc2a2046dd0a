using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// A file held open with exclusive access for as long as its owner lives. The kernel releases it at death, whatever the cause; a
/// paused process keeps it. If the file can be opened, alone or shared, its owner is dead.
/// </summary>
internal sealed class FileLease : IDisposable
{
    private readonly SafeFileHandle _file;

    private FileLease(SafeFileHandle file) => _file = file;

    /// <summary>Takes the lease, or returns null if a live process holds it.</summary>
    /// <param name="path">The lease file.</param>
    /// <param name="permissions">The permissions of the file if it is created.</param>
    public static FileLease? TryAcquire(string path, FilePermissions permissions) => TryOpenOrCreate(path, FileAccess.ReadWrite, FileShare.None, permissions);

    /// <summary>
    /// Shares the lease, or returns null if a live process holds it. Any number may share it at the same time; until the last of them releases it, it
    /// cannot be taken.
    /// </summary>
    public static FileLease? TryAcquireShare(string path, FilePermissions permissions) => TryOpenOrCreate(path, FileAccess.Read, FileShare.Read, permissions);

    /// <summary>Shares the lease as <see cref="TryAcquireShare"/> does, but changes nothing, and needs no permission to write.</summary>
    /// <param name="path">The lease file.</param>
    /// <param name="share">The share; null also if there is no such file.</param>
    /// <returns>False if a live process holds the lease.</returns>
    public static bool TryLook(string path, out FileLease? share)
    {
        try
        {
            share = TryLock(path, FileShare.Read, isReadOnly: true, out var lease) ? lease : Open(path, FileMode.Open, FileAccess.Read, FileShare.Read);
            return share is not null;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            share = null;
            return true;
        }
    }

    /// <summary>
    /// Takes the lease and verifies that this file system's locks keep others out. Also null if the file was deleted between its opening and its locking, where
    /// files have identities: others may lock another file at the path.
    /// </summary>
    /// <exception cref="DirectoryNotFoundException">The directory is missing.</exception>
    /// <exception cref="NotSupportedException">Locks do not work here.</exception>
    public static FileLease? TryAcquireVerified(string path, FilePermissions permissions)
    {
        var lease = TryAcquire(path, permissions);
        if (lease is null)
        {
            return null;
        }

        var isKept = false;
        try
        {
            if (lease.IsAt(path))
            {
                RequireAlone(path, permissions);
                isKept = true;
            }
        }
        finally
        {
            if (!isKept)
            {
                lease.Dispose();
            }
        }

        return isKept ? lease : null;
    }

    /// <summary>Whether the process that a file names as the holder of a lease is alive. A process of another container is not seen here.</summary>
    /// <param name="processId">Its number; no process has one below 1.</param>
    public static bool IsAlive(int processId)
    {
        if (processId <= 0)
        {
            return false;
        }

        try
        {
            Process.GetProcessById(processId).Dispose();
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    /// <summary>
    /// Whether the file of the lease is still at a path, as far as files have identities here, and the system can say. If it is not, others may hold another file there.
    /// </summary>
    // The identity of a path is that of a link at its end, which says nothing about the file.
    public bool IsAt(string path)
    {
        if (FileIdentity.Of(_file) is not { } held)
        {
            return true;
        }

        return FileIdentity.Of(path, out var isMissing) is { } named ? named.IsLink || named.IsSameFile(held) : !isMissing;
    }

    /// <summary>Releases the lease.</summary>
    public void Dispose()
    {
        if (LinuxKernel.IsSupported && !_file.IsClosed)
        {
            LinuxKernel.Unlock(_file);
        }

        _file.Dispose();
    }

    private static void RequireAlone(string path, FilePermissions permissions)
    {
        using var second = TryAcquire(path, permissions);
        if (second is not null)
        {
            throw new NotSupportedException(
                $"File locks do not work at '{path}': it could be opened twice with exclusive access. " +
                "Queues need them to see that a process died. Use a local file system, and do not set DOTNET_SYSTEM_IO_DISABLEFILELOCKING.");
        }
    }

    private static FileLease? TryOpenOrCreate(string path, FileAccess access, FileShare share, FilePermissions permissions)
    {
        if (TryLock(path, share, isReadOnly: false, out var lease))
        {
            return lease;
        }

        if (!OperatingSystem.IsWindows() && !File.Exists(path))
        {
            try
            {
                permissions.CreateEmpty(path);
            }
            catch (IOException exception) when (IsHeldByAnother(exception))
            {
                return null;
            }

            if (TryLock(path, share, isReadOnly: false, out lease))
            {
                return lease;
            }
        }

        return Open(path, FileMode.OpenOrCreate, access, share);
    }

    // The short way. False if the system does not have it, or if it cannot say why it failed.
    private static bool TryLock(string path, FileShare share, bool isReadOnly, out FileLease? lease)
    {
        SafeFileHandle? file = null;
        var isAnswered = LinuxKernel.IsSupported && LinuxKernel.TryLock(path, share == FileShare.Read, isReadOnly, out file);
        lease = file is null ? null : new FileLease(file);
        return isAnswered;
    }

    private static FileLease? Open(string path, FileMode mode, FileAccess access, FileShare share)
    {
        try
        {
            var file = File.OpenHandle(path, mode, access, share);
            return !LinuxKernel.IsSupported || LinuxKernel.TryLock(file, path, isShared: share == FileShare.Read) ? new FileLease(file) : null;
        }
        catch (IOException exception) when (IsHeldByAnother(exception))
        {
            return null;
        }
    }

    /// <summary>Whether an exception says that another process has the file open. No other failure may be mistaken for a live owner, such as a full disk or too many open files.</summary>
    public static bool IsHeldByAnother(IOException exception)
    {
        const int SharingViolationOnWindows = unchecked((int)0x80070020);
        const int WouldBlockOnLinux = 11;
        const int WouldBlockOnBsd = 35;
        var expected = OperatingSystem.IsWindows() ? SharingViolationOnWindows : OperatingSystem.IsLinux() ? WouldBlockOnLinux : WouldBlockOnBsd;
        return exception.HResult == expected;
    }
}
