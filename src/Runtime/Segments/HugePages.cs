namespace BufferedMessages.Segments;

/// <summary>
/// Files made of huge pages, where the file system keeps them in memory. Each page fault then brings two megabytes instead of four
/// kilobytes, in every process that maps the file.
/// </summary>
internal static class HugePages
{
    private const int Bytes = 2 * 1024 * 1024;
    private const string MemoryFileSystem = "tmpfs";

    /// <summary>Creates a file of zeros and allocates all of it, in huge pages as far as there are any.</summary>
    /// <returns>False when they are of no use here; nothing has happened then.</returns>
    /// <exception cref="IOException">There is no room.</exception>
    public static unsafe bool TryAllocate(string path, long length)
    {
        if (!LinuxKernel.IsSupported || length % Bytes != 0 || !IsInMemory(path))
        {
            return false;
        }

        using var file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        RandomAccess.SetLength(file, length);

        // The kernel makes huge pages around pages that are there, not of nothing.
        for (var offset = 0L; offset < length; offset += Bytes)
        {
            RandomAccess.Write(file, [0], offset);
        }

        using (var mapped = MappedFile.Open(path))
        {
            LinuxKernel.MakeHugePages(mapped.Start, (nuint)length);
        }

        LinuxKernel.Allocate(file, length);
        return true;
    }

    private static bool IsInMemory(string path) => new DriveInfo(Path.GetDirectoryName(path)!).DriveFormat == MemoryFileSystem;
}
