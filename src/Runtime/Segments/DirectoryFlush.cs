using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>Writes a directory's own entries to the disk: on Unix a flushed file may still lose its name in a crash.</summary>
internal static partial class DirectoryFlush
{
    private const int ReadOnly = 0;
    private const int Failed = -1;

    /// <summary>Writes the names of the files in a directory to the disk and waits for that. Windows does it by itself.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public static void Run(string directory)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        var descriptor = Open(directory, ReadOnly);
        if (descriptor == Failed)
        {
            throw Failure(directory);
        }

        try
        {
            if (Flush(descriptor) == Failed)
            {
                throw Failure(directory);
            }
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    private static IOException Failure(string directory) =>
        new($"The directory '{directory}' could not be written to the disk: {Marshal.GetLastPInvokeErrorMessage()}.", Marshal.GetLastPInvokeError());

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Flush(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
