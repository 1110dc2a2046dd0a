using System.Diagnostics;

namespace BufferedMessages.Segments;

/// <summary>
/// Files of huge pages: on a file system in memory they are allocated at creation, on a disk as they are touched. Each page fault then brings two
/// megabytes instead of four kilobytes, in every process that maps the file.
/// </summary>
internal static class HugePages
{
    /// <summary>The bytes of a huge page.</summary>
    public const int Bytes = 2 * 1024 * 1024;

    private const long BytesAtATime = 4 * Bytes;
    private const string MemoryFileSystem = "tmpfs";

    // Four huge pages take less time when the memory is at hand. A virtual machine that gets them from its host may take ten times as long; small pages are then faster.
    private static readonly TimeSpan LongestTime = TimeSpan.FromMilliseconds(8);

    /// <summary>
    /// Creates a file of zeros and allocates all of it, in huge pages as far as there are any. Once huge pages take too long, the rest is made of small ones, unless the caller
    /// waits for them.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="permissions">Its permissions.</param>
    /// <param name="waits">Whether the caller waits for huge pages however long they take.</param>
    /// <param name="preparation">The preparation ahead of need, which waits too until a thread waits for the file; null if one does.</param>
    /// <returns>False if they are of no use here; then nothing was done.</returns>
    /// <exception cref="IOException">The disk has no room for the bytes.</exception>
    // SAFETY: The range is that of the mapped file.
    public static unsafe bool TryAllocate(string path, long length, FilePermissions permissions, bool waits, IFilePreparation? preparation)
    {
        if (!LinuxKernel.IsSupported || length < Bytes || !IsInMemory(path))
        {
            return false;
        }

        using var created = permissions.CreateFile(path, FileShare.ReadWrite | FileShare.Delete);
        var file = created.SafeFileHandle;
        RandomAccess.SetLength(file, length);

        // The kernel makes huge pages only around pages that exist already.
        for (var offset = 0L; offset + Bytes <= length; offset += Bytes)
        {
            RandomAccess.Write(file, [0], offset);
        }

        using (var mapped = MappedFile.Open(path))
        {
            var time = TimeSpan.Zero;
            for (long offset = 0; offset < length && (waits || time < LongestTime || preparation is { IsAwaited: false }); offset += BytesAtATime)
            {
                preparation?.ThrowIfEnded();
                var start = Stopwatch.GetTimestamp();
                LinuxKernel.MakeHugePages(mapped.Start + offset, (nuint)Math.Min(BytesAtATime, length - offset));
                time = Stopwatch.GetElapsedTime(start);
            }
        }

        LinuxKernel.Allocate(file, length, path);
        return true;
    }

    /// <summary>
    /// Asks for huge pages of a file on a disk. Call it before any page of the file is touched, since existing pages keep their size. A huge page counts as
    /// changed as a whole, so a flush writes two megabytes instead of four kilobytes.
    /// </summary>
    // SAFETY: The range is that of the mapped file.
    public static unsafe void Prefer(MappedFile file)
    {
        if (LinuxKernel.IsSupported && file.Length >= Bytes)
        {
            LinuxKernel.PreferHugePages(file.Start, (nuint)file.Length);
        }
    }

    private static bool IsInMemory(string path) => new DriveInfo(Path.GetDirectoryName(path)!).DriveFormat == MemoryFileSystem;
}
