using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>The flushing of files and of the entries of directories to the disk, which waits until they are written.</summary>
internal static partial class DiskFlush
{
    private const int ReadOnly = 0;
    private const int CloseOnExecOnLinux = 0x8_0000;
    private const int CloseOnExecOnMac = 0x100_0000;
    private const int Failed = -1;
    private const int Interrupted = 4;

    /// <summary>Writes a file's changes. The runtime's own flush hides the failure of a Linux disk, so there the system is asked directly. On macOS, it also makes the drive write its cache.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public static void OfFile(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            RandomAccess.FlushToDisk(file);
            return;
        }

        while (Flush(file) == Failed)
        {
            ThrowUnlessInterrupted(path);
        }
    }

    /// <summary>Writes the names of the files in a directory: on Unix a flushed file may still lose its name in a crash. Windows does so by itself.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public static void OfDirectory(string directory)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        // A process that another thread is starting must not keep the folder open.
        var flags = ReadOnly | (OperatingSystem.IsLinux() ? CloseOnExecOnLinux : OperatingSystem.IsMacOS() ? CloseOnExecOnMac : 0);
        int descriptor;
        while ((descriptor = Open(directory, flags)) == Failed)
        {
            ThrowUnlessInterrupted(directory);
        }

        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        OfFile(handle, directory);
    }

    /// <summary>Writes the names of the files in a directory, if that is possible: a share of the network may have no such call, and a user may not read each directory that it may write to.</summary>
    public static void TryOfDirectory(string directory)
    {
        try
        {
            OfDirectory(directory);
        }
        catch (IOException)
        {
            // The first flush of content reports a failure of the disk.
        }
    }

    private static void ThrowUnlessInterrupted(string path)
    {
        var error = Marshal.GetLastPInvokeError();
        if (error != Interrupted)
        {
            throw new IOException($"'{path}' could not be written to the disk: {Marshal.GetPInvokeErrorMessage(error)}.", error);
        }
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Flush(SafeFileHandle file);
}
