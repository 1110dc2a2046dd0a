using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Opens the files of a cache. For writing they are taken as they are when they can be trusted; otherwise the index is rebuilt from the segments.</summary>
internal static class CacheOpening
{
    private static readonly TimeSpan LeaseTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Opens a cache for writing, and creates it if there is none.</summary>
    /// <exception cref="CacheInUseException">A process that is alive has it open for writing.</exception>
    public static CacheEngine Open(string directory, int keyKind, MessageCacheOptions options)
    {
        var asked = options.Permissions;
        CacheFiles.RefuseForeign(directory, asked);
        asked.CreateFolder(directory);
        CacheFiles.RefuseForeign(directory, asked);
        var lease = AcquireLease(directory, keyKind, CacheFiles.PermissionsOf(directory) ?? asked);
        CacheStore? store = null;
        try
        {
            var control = CacheControl.OpenOrCreate(directory, keyKind, options, asked);
            var segments = options.SegmentsOf(control.SegmentBytes);
            Sign(ref control.Header);
            store = new CacheStore(control, options, LeaseTable.InMemory());
            var isTrusted = control.Header.Boot == MachineBoot.Id && control.HasPossibleSequences;
            if (!SegmentCheck.TryMapAll(store, isTrusted) || !isTrusted || !IndexCheck.TryOpen(store))
            {
                control.Header.Boot = default;
                IndexRebuild.Run(store, options.ExpectedEntries);
            }

            control.Header.Boot = MachineBoot.Id;
            CacheFiles.DeleteLeftovers(directory, control.Header.IndexGeneration);
            return new CacheEngine(store, options, new WriteEngine(store, options, lease, segments));
        }
        catch
        {
            store?.Dispose();
            lease.Dispose();
            throw;
        }
    }

    /// <summary>Opens a cache for reading, while another process may write to it.</summary>
    /// <exception cref="FileNotFoundException">There is no cache.</exception>
    public static CacheEngine OpenReadOnly(string directory, int keyKind, MessageCacheOptions options)
    {
        CacheFiles.RefuseForeign(directory, options.Permissions);
        if (!File.Exists(CacheFiles.Control(directory)))
        {
            throw new FileNotFoundException($"No cache was found in '{directory}'. A process that writes has to open it first.", CacheFiles.Control(directory));
        }

        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);
        var (leases, lease) = ReaderProcesses.Join(directory, control.Permissions);
        return new CacheEngine(new CacheStore(control, options, leases, lease), options, writing: null);
    }

    // A process that the writer is just starting has the lease too, until it begins to run its own program.
    private static FileLease AcquireLease(string directory, int keyKind, FilePermissions permissions)
    {
        var deadline = Environment.TickCount64 + (long)LeaseTimeout.TotalMilliseconds;
        while (true)
        {
            if (FileLease.TryAcquireVerified(CacheFiles.WriterLease(directory), permissions) is { } lease)
            {
                return lease;
            }

            if (File.Exists(CacheFiles.Control(directory)) && ReadWriter(directory, keyKind) is { ProcessId: not WriteEngine.NoWriter } writer && IsAlive(writer.ProcessId))
            {
                throw writer;
            }

            if (Environment.TickCount64 > deadline)
            {
                throw new CacheInUseException(directory, WriteEngine.NoWriter, default);
            }

            Thread.Sleep(1);
        }
    }

    private static CacheInUseException ReadWriter(string directory, int keyKind)
    {
        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);
        var exception = new CacheInUseException(
            directory, Volatile.Read(ref control.Header.WriterProcess), DateTimeOffset.FromUnixTimeMilliseconds(Volatile.Read(ref control.Header.WriterStart)));
        GC.KeepAlive(control);
        return exception;
    }

    private static bool IsAlive(int processId)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(processId);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static void Sign(ref ControlHeader header)
    {
        using var process = System.Diagnostics.Process.GetCurrentProcess();
        header.WriterProcess = Environment.ProcessId;
        header.WriterStart = new DateTimeOffset(process.StartTime.ToUniversalTime()).ToUnixTimeMilliseconds();
    }
}
