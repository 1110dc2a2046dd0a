using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The processes that only read, known to the writer by the files of their leases.</summary>
internal sealed class ReaderProcesses(string directory, FilePermissions permissions)
{
    // At the same time.
    private const int Max = 64;

    private readonly Dictionary<int, LeaseTable> _leases = [];

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
    /// Says whether a process that is alive holds the segment. The caller has removed its entries and fenced, so a process that joins from now on finds no entry that leads there.
    /// A file that was cut off may have named any segment.
    /// </summary>
    public bool Hold(int slot)
    {
        foreach (var path in Directory.EnumerateFiles(directory, "reader-*.pins"))
        {
            if (int.TryParse(Path.GetFileNameWithoutExtension(path).AsSpan("reader-".Length), NumberStyles.None, CultureInfo.InvariantCulture, out var reader)
                && TryOpen(reader)?.Holds(slot) != false
                && !TryReclaim(reader))
            {
                return true;
            }
        }

        return false;
    }

    private LeaseTable? TryOpen(int reader)
    {
        if (!_leases.TryGetValue(reader, out var leases) && LeaseTable.TryOpen(CacheFiles.ReaderLeases(directory, reader)) is { } opened)
        {
            leases = opened;
            _leases.Add(reader, leases);
        }

        return leases;
    }

    // The leases of a dead process are void. A file of its that was cut off is deleted, since no process has mapped it.
    private bool TryReclaim(int reader)
    {
        using var lease = FileLease.TryAcquire(CacheFiles.ReaderLease(directory, reader), permissions);
        if (lease is null)
        {
            return false;
        }

        if (TryOpen(reader) is { } leases)
        {
            leases.Reset();
        }
        else
        {
            CacheFiles.TryDelete(CacheFiles.ReaderLeases(directory, reader));
        }

        return true;
    }
}
