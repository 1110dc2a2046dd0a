using BufferedMessages.Memory;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// A whole file mapped for reading, or for reading and writing. The pointer is taken once and is valid until <see cref="Dispose"/>, which the
/// owner must not call while the pointer is in use. A forgotten mapping is leaked, never taken away from a reader, unless it was opened
/// as collected: it is then released once this object is unreachable. See <see cref="AddressSpace"/> for a pointer that is used too late.
/// </summary>
internal sealed unsafe class MappedFile : IDisposable
{
    // A refused preallocation has only the general code; writing and flushing have the others.
    private const int PreallocationRefused = unchecked((int)0x80131620);
    private const int DiskFullOnWindows = unchecked((int)0x80070070);
    private const int DiskFullOnUnix = 28;
    private const int QuotaOnLinux = 122;
    private const int QuotaOnMac = 69;
    private const int TooLargeOnUnix = 27;

    /// <summary>The loss of a file that no longer has a name.</summary>
    public const string Deleted = "deleted";

    /// <summary>The loss of a file whose name now belongs to another one.</summary>
    public const string Replaced = "replaced";

    private readonly SafeFileHandle _file;
    private readonly FileMapping _mapping;
    private readonly bool _isCollected;
    private readonly FileIdentity? _identity;
    private int _disposed;

    private MappedFile(string path, SafeFileHandle file, FileMapping mapping, long length, bool isCollected)
    {
        Path = path;
        Length = length;
        _file = file;
        _mapping = mapping;
        _isCollected = isCollected;
        _identity = FileIdentity.Of(file);
        if (!isCollected)
        {
            // Keeps the handle from being closed by the garbage collector.
            var isAdded = false;
            mapping.DangerousAddRef(ref isAdded);
        }

        Start = mapping.Start;
    }

    /// <summary>The file's full path at the time it was opened.</summary>
    public string Path { get; }

    /// <summary>Bytes of the file and of the mapping.</summary>
    public long Length { get; }

    /// <summary>The mapping has ended.</summary>
    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>The permissions of the file now.</summary>
    public FilePermissions Permissions => FilePermissions.Of(_file);

    /// <summary>The first byte.</summary>
    public byte* Start { get; }

    /// <summary>The mapped bytes.</summary>
    public MappedSpan Span => new(Start, Length);

    /// <summary>
    /// Creates a file of zeros that has its final name only when complete: it is allocated, initialised and flushed under a temporary name and then renamed.
    /// If the file already exists, another creator won, and nothing happens.
    /// </summary>
    /// <param name="path">The final name.</param>
    /// <param name="length">Bytes; all of them are allocated on the disk, since writing to a mapped hole of a full disk kills the process.</param>
    /// <param name="permissions">The permissions, which the temporary file has too.</param>
    /// <param name="temporarySuffix">The temporary file's suffix; only one live creator may use it at a time.</param>
    /// <param name="initialise">Fills the file.</param>
    /// <param name="tryTake">Gives a file of zeros that was prepared ahead the temporary name; false if there is none.</param>
    /// <param name="waitsForHugePages">Whether a file in memory gets huge pages however long they take: worth it for a file that is read at random for long.</param>
    /// <param name="preparation">The steps of a file that is created ahead of need; null for one that is needed now.</param>
    /// <exception cref="DiskFullException">The disk has no room; the temporary file is deleted.</exception>
    /// <exception cref="OperationCanceledException">The preparation ended; the temporary file is deleted.</exception>
    public static void Create(
        string path,
        long length,
        FilePermissions permissions,
        string temporarySuffix,
        Action<MappedFile>? initialise = null,
        Func<string, bool>? tryTake = null,
        bool waitsForHugePages = false,
        IFilePreparation? preparation = null)
    {
        var temporary = $"{path}.{temporarySuffix}";
        try
        {
            // A creator that died during the rename may have left both names: the file under the temporary one must not be written to.
            File.Delete(temporary);
            if (tryTake is null || !tryTake(temporary))
            {
                Allocate(temporary, length, permissions, waitsForHugePages, preparation);
            }

            FaultPoints.Hit(FaultPoint.FileAllocated);
            if (initialise is not null)
            {
                using var mapped = Open(temporary);
                initialise(mapped);
                mapped._mapping.Flush();
            }

            FaultPoints.Hit(FaultPoint.FileInitialised);
            using (var file = new FileStream(temporary, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0))
            {
                DiskFlush.OfFile(file.SafeFileHandle, temporary);
            }

            FaultPoints.Hit(FaultPoint.FileFlushed);
            if (!FinalName.TryGive(temporary, path))
            {
                FileMapping.Delete(temporary);
            }

            FaultPoints.Hit(FaultPoint.FileRenamed);
        }
        catch (Exception exception) when (exception is not IOException)
        {
            FileMapping.Delete(temporary);
            throw;
        }
        catch (IOException exception)
        {
            FileMapping.Delete(temporary);
            if (File.Exists(path))
            {
                // Another creator of the same file had room.
                return;
            }

            if (IsDiskFull(exception))
            {
                throw new DiskFullException(path, length, exception);
            }

            throw;
        }
    }

    /// <summary>Maps the whole length of an existing file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="access">Reading, or reading and writing. Writing to a mapping for reading kills the process.</param>
    /// <param name="isCollected">Whether the mapping is released once the object is unreachable. A user of the pointer must keep the object alive.</param>
    /// <exception cref="FileNotFoundException">The file does not exist, or its folder does not.</exception>
    /// <exception cref="InvalidDataException">The file is empty, or is not a regular file.</exception>
    /// <exception cref="IOException">The system refuses the mapping.</exception>
    /// <exception cref="PlatformNotSupportedException">The processor is big-endian.</exception>
    public static MappedFile Open(string path, FileAccess access = FileAccess.ReadWrite, bool isCollected = false)
    {
        if (!BitConverter.IsLittleEndian)
        {
            throw new PlatformNotSupportedException($"'{path}' is little-endian, and this processor is big-endian. Open it on a little-endian one.");
        }

        var file = OpenHandle(path, access);
        try
        {
            var length = RandomAccess.GetLength(file);
            if (length == 0)
            {
                throw Empty(path);
            }

            return new MappedFile(path, file, FileMapping.Open(file, path, length, isWritable: access == FileAccess.ReadWrite), length, isCollected);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Whether a path, or the link there, leads to an empty file, or to a pipe or a device, which have no length either. Opening a pipe for reading would wait for its writer,
    /// maybe forever.
    /// </summary>
    public static bool HasNoContent(string path) => (File.ResolveLinkTarget(path, returnFinalTarget: true) ?? new FileInfo(path)) is FileInfo { Exists: true, Length: 0 };

    /// <summary>The length of a file; null if there is none. A file that cannot be opened may exist, so it is reported by an exception.</summary>
    /// <exception cref="IOException">The disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The file, or a folder around it, may not be read.</exception>
    public static long? LengthOf(string path)
    {
        try
        {
            if (HasNoContent(path))
            {
                return 0;
            }

            using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
            return RandomAccess.GetLength(file);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Whether a file is certainly gone. False if the system cannot say.</summary>
    public static bool IsDeleted(string path)
    {
        try
        {
            return !File.Exists(path) && LengthOf(path) is null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>
    /// Makes a part of the file, which was never written to, fast to write through the mapping: one system call instead of a page
    /// fault for each page. If the system has no such call, or no room for the pages, zeros are written, and a full disk is an exception.
    /// </summary>
    /// <exception cref="DiskFullException">The disk has no room.</exception>
    public void PrepareForWriting(long offset, long bytes)
    {
        if (TryMapForWriting(offset, bytes))
        {
            return;
        }

        try
        {
            for (var end = offset + bytes; offset < end; offset += Zeros.Bytes.Length)
            {
                RandomAccess.Write(_file, Zeros.Bytes.AsSpan(0, (int)Math.Min(Zeros.Bytes.Length, end - offset)), offset);
            }
        }
        catch (IOException exception) when (IsDiskFull(exception))
        {
            throw new DiskFullException(Path, Length, exception);
        }
    }

    /// <summary>Maps the pages of a part of the file, with their content: one system call instead of a page fault each.</summary>
    /// <returns>False if the system cannot.</returns>
    public bool TryMapForWriting(long offset, long bytes) => LinuxKernel.IsSupported && LinuxKernel.PopulateForWriting(Start + offset, (nuint)bytes);

    /// <summary>Reads a part of the file without touching the mapping.</summary>
    /// <returns>How many bytes were read.</returns>
    /// <exception cref="IOException">The disk failed.</exception>
    public int Read(Span<byte> destination, long offset) => RandomAccess.Read(_file, destination, offset);

    /// <summary>Writes a part of the file without touching the mapping. All mappings of the file see it.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public void Write(ReadOnlySpan<byte> source, long offset) => RandomAccess.Write(_file, source, offset);

    /// <summary>Writes the changes made through this mapping, and all others on this machine, to the disk and waits until they are written.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public void Flush()
    {
        _mapping.Flush();
        DiskFlush.OfFile(_file, Path);
    }

    /// <summary>The loss of the file since it was opened: deleted, replaced or truncated; null if there is none. The caller keeps the file open during the call.</summary>
    public string? FindLoss()
    {
        var now = FileIdentity.Of(Path, out var isMissing);
        if (FileIdentity.IsSupported ? isMissing : IsDeleted(Path))
        {
            return Deleted;
        }

        // The look does not follow a link, so a link says nothing about the file.
        if (now is { IsLink: false } found && _identity is { } opened && !found.IsSameFile(opened))
        {
            return Replaced;
        }

        return FindCut();
    }

    /// <summary>The loss of a part of the file since it was opened, by truncation; null if there is none, if the system cannot say, and if the mapping has ended.</summary>
    public string? FindCut()
    {
        try
        {
            return RandomAccess.GetLength(_file) < Length ? "cut" : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>
    /// Marks a part of the file as changed again. A system that failed to write a page may count it as written, and a later flush
    /// would leave it out.
    /// </summary>
    public void MarkDirty(long offset, long bytes)
    {
        for (var page = offset & -Environment.SystemPageSize; page < offset + bytes; page += Environment.SystemPageSize)
        {
            // Changes nothing, even if another thread writes there at the same time.
            Interlocked.Or(ref *(int*)(Start + page), 0);
        }
    }

    /// <summary>Ends the mapping.</summary>
    public void Dispose()
    {
        // Threads that wrongly share a participant may end its mapping at the same time.
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            if (!_isCollected)
            {
                _mapping.DangerousRelease();
            }

            _mapping.Dispose();
            _file.Dispose();
        }
    }

    private static SafeFileHandle OpenHandle(string path, FileAccess access)
    {
        try
        {
            if (HasNoContent(path))
            {
                throw Empty(path);
            }

            return File.OpenHandle(path, FileMode.Open, access, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (DirectoryNotFoundException exception)
        {
            throw new FileNotFoundException(exception.Message, path, exception);
        }
    }

    private static InvalidDataException Empty(string path) => new($"'{path}' is empty, or not a regular file.");

    private static void Allocate(string path, long length, FilePermissions permissions, bool waitsForHugePages, IFilePreparation? preparation)
    {
        if (HugePages.TryAllocate(path, length, permissions, waitsForHugePages, preparation))
        {
            return;
        }

        using var file = permissions.CreateFile(path, FileShare.None, length);
        file.SetLength(length);
    }

    /// <summary>Checks whether an exception of a file that is allocated means that the disk has no room.</summary>
    public static bool IsDiskFull(IOException exception) => exception.HResult is PreallocationRefused or TooLargeOnUnix || IsOutOfSpace(exception);

    /// <summary>Checks whether any exception means that the disk has no room.</summary>
    public static bool IsOutOfSpace(IOException exception) => exception.HResult is DiskFullOnWindows or DiskFullOnUnix or QuotaOnLinux or QuotaOnMac;

    // Allocated only in a process that needs them.
    private static class Zeros
    {
        public static readonly byte[] Bytes = new byte[64 * 1024];
    }
}
