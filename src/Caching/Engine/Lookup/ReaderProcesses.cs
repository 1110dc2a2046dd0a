using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The processes that only read, known to the writer by the files of their leases. For one thread at a time.</summary>
internal sealed class ReaderProcesses(string directory, FilePermissions permissions)
{
    // At the same time.
    private const int Max = 64;

    // Those of one process, as they were read last. Made for the first file.
    private ulong[] _cells = [];

    /// <summary>Registers this process.</summary>
    /// <returns>Its leases, all free, and the lock that shows that it is alive.</returns>
    /// <exception cref="InvalidOperationException">There are too many such processes.</exception>
    public static (LeaseTable Leases, FileLease Lease) Join(string directory, FilePermissions permissions)
    {
        for (var reader = 0; reader < Max; reader++)
        {
            if (FileLease.TryAcquire(CacheFiles.ReaderLease(directory, reader), permissions) is not { } lease)
            {
                continue;
            }

            try
            {
                var leases = LeaseTable.OpenOwn(CacheFiles.ReaderLeases(directory, reader), permissions);
                leases.Reset();
                return (leases, lease);
            }
            catch
            {
                lease.Dispose();
                throw;
            }
        }

        throw new InvalidOperationException($"The cache '{directory}' is open in {Max} processes that read it, which is the limit. Close it in one of them.");
    }

    /// <summary>
    /// Determines whether a live process holds the segment. The caller has removed its entries and fenced, so a process that joins from now on finds no entry that leads there.
    /// </summary>
    public bool Hold(int slot)
    {
        foreach (var path in Directory.EnumerateFiles(directory, "reader-*.pins"))
        {
            if (int.TryParse(Path.GetFileNameWithoutExtension(path).AsSpan("reader-".Length), NumberStyles.None, CultureInfo.InvariantCulture, out var reader)
                && MayHold(path, slot)
                && !TryReclaim(reader))
            {
                return true;
            }
        }

        return false;
    }

    // The file is read, and not mapped: a file that is cut while it is mapped ends the process that touches it. One that was cut may have named any segment.
    private bool MayHold(string path, int slot)
    {
        try
        {
            if (new FileInfo(path).Length != LeaseTable.FileBytes)
            {
                return true;
            }

            using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            _cells = _cells.Length == 0 ? new ulong[LeaseTable.Cells] : _cells;
            return RandomAccess.Read(file, MemoryMarshal.AsBytes(_cells.AsSpan()), 0) != LeaseTable.FileBytes || LeaseTable.Hold(_cells, slot);
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    // The leases of a dead process are void.
    private bool TryReclaim(int reader)
    {
        using var lease = FileLease.TryAcquire(CacheFiles.ReaderLease(directory, reader), permissions);
        if (lease is null)
        {
            return false;
        }

        CacheFiles.TryDelete(CacheFiles.ReaderLeases(directory, reader));
        return true;
    }
}
