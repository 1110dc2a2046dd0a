using System.Globalization;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The processes that only read, as the writer sees them: by the files of their leases.</summary>
internal sealed class ReaderProcesses(string directory)
{
    /// <summary>How many there can be at the same time.</summary>
    private const int Max = 64;

    private readonly Dictionary<int, LeaseTable> _leases = [];

    /// <summary>Becomes one of them.</summary>
    /// <returns>Its leases, all free, and what shows that it is alive.</returns>
    /// <exception cref="InvalidOperationException">There are too many.</exception>
    public static (LeaseTable Leases, FileLease Lease) Join(string directory)
    {
        for (var reader = 0; reader < Max; reader++)
        {
            if (FileLease.TryAcquire(CacheFiles.ReaderLease(directory, reader)) is not { } lease)
            {
                continue;
            }

            try
            {
                var leases = LeaseTable.OpenFile(CacheFiles.ReaderLeases(directory, reader));
                leases.Reset();
                return (leases, lease);
            }
            catch
            {
                lease.Dispose();
                throw;
            }
        }

        throw new InvalidOperationException($"The cache '{directory}' is open in {Max} processes that read it, which is all there can be. Close it in one of them.");
    }

    /// <summary>Somebody alive holds the segment. The caller has removed all that leads to it, and fenced: who joins from now on finds nothing that leads there.</summary>
    public bool Hold(int slot)
    {
        foreach (var path in Directory.EnumerateFiles(directory, "reader-*.pins"))
        {
            if (int.TryParse(Path.GetFileNameWithoutExtension(path).AsSpan("reader-".Length), NumberStyles.None, CultureInfo.InvariantCulture, out var reader)
                && Open(reader).Holds(slot)
                && !TryReclaim(reader))
            {
                return true;
            }
        }

        return false;
    }

    private LeaseTable Open(int reader)
    {
        if (!_leases.TryGetValue(reader, out var leases))
        {
            leases = LeaseTable.OpenFile(CacheFiles.ReaderLeases(directory, reader));
            _leases.Add(reader, leases);
        }

        return leases;
    }

    // Its leases are void when it is dead.
    private bool TryReclaim(int reader)
    {
        using var lease = FileLease.TryAcquire(CacheFiles.ReaderLease(directory, reader));
        if (lease is null)
        {
            return false;
        }

        Open(reader).Reset();
        return true;
    }
}
