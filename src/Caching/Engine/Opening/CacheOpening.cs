using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Opens the files of a cache. For writing, it uses them as they are if they can be trusted; otherwise it rebuilds the index from the segments.</summary>
internal static class CacheOpening
{
    private static readonly TimeSpan LeaseTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Opens a cache for writing, and creates it if there is none.</summary>
    /// <exception cref="CacheInUseException">A live process has it open for writing.</exception>
    public static CacheEngine Open(string directory, int keyKind, MessageCacheOptions options) =>
        OpenWith(AcquireLease(directory, keyKind, CreateFolder(directory, options.Permissions)), directory, keyKind, options);

    /// <summary>Opens a cache for writing, unless a process has it open.</summary>
    public static CacheEngine? TryOpen(string directory, int keyKind, MessageCacheOptions options) =>
        FileLease.TryAcquireVerified(CacheFiles.WriterLease(directory), CreateFolder(directory, options.Permissions)) is { } lease
            ? OpenWith(lease, directory, keyKind, options)
            : null;

    /// <summary>Creates the exception that names the process that writes.</summary>
    public static CacheInUseException ReadWriter(string directory, int keyKind)
    {
        if (!File.Exists(CacheFiles.Control(directory)))
        {
            // It is still creating the cache.
            return new CacheInUseException(directory, WriteEngine.NoWriter, default);
        }

        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);

        // The number may be damaged.
        var start = Math.Clamp(Volatile.Read(ref control.Header.WriterStart), DateTimeOffset.MinValue.ToUnixTimeMilliseconds(), DateTimeOffset.MaxValue.ToUnixTimeMilliseconds());
        var exception = new CacheInUseException(directory, Volatile.Read(ref control.Header.WriterProcess), DateTimeOffset.FromUnixTimeMilliseconds(start));
        GC.KeepAlive(control);
        return exception;
    }

    private static CacheEngine OpenWith(FileLease lease, string directory, int keyKind, MessageCacheOptions options)
    {
        CacheStore? store = null;
        try
        {
            var control = CacheControl.OpenOrCreate(directory, keyKind, options);
            MarkShared(control, options.Shared);
            var segments = options.SegmentsOf(control.SegmentBytes);
            var wasClosed = control.Header.WriterProcess == WriteEngine.NoWriter;
            Sign(ref control.Header);
            store = new CacheStore(control, options, LeaseTable.InMemory(), lease, isReadOnly: false);
            if (!store.Segments.Staged.TryOpen() && !wasClosed)
            {
                // Chunks of the process that was killed are lost, and the index may lead to them.
                control.Header.Boot = default;
            }

            store.Segments.Staged.OpenOrCreate();
            var isTrusted = control.Header.Boot == MachineBoot.Id && control.HasPossibleSequences;
            var areAsNoted = SegmentCheck.TryMapAll(store, isTrusted);
            areAsNoted &= SegmentCheck.TryTakeStaged(store);
            if (!areAsNoted || !isTrusted || !IndexCheck.TryOpen(store, wasClosed))
            {
                control.Header.Boot = default;
                IndexRebuild.Run(store, options.ExpectedEntries);
            }

            control.Header.Boot = MachineBoot.Id;
            CacheFiles.DeleteLeftovers(directory, control.Header.IndexGeneration);
            return new CacheEngine(store, options, new WriteEngine(store, options, segments));
        }
        catch
        {
            (store ?? (IDisposable)lease).Dispose();
            throw;
        }
    }

    /// <summary>Opens a cache for reading, while another process may write to it. A process that may own it later needs the options of an owner.</summary>
    /// <exception cref="FileNotFoundException">There is no cache.</exception>
    public static CacheEngine OpenReadOnly(string directory, int keyKind, MessageCacheOptions options, bool mayOwn = false)
    {
        CacheFiles.RefuseForeign(directory, options.Permissions);
        if (MappedFile.IsDeleted(CacheFiles.Control(directory)))
        {
            throw new FileNotFoundException($"No cache was found in '{directory}'. A process that writes has to open it first.", CacheFiles.Control(directory));
        }

        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);
        if (mayOwn)
        {
            control.Require(options);
        }

        var (leases, lease) = ReaderProcesses.Join(directory, control.Permissions);
        return new CacheEngine(new CacheStore(control, options, leases, lease, isReadOnly: true), options, writing: null);
    }

    // Returns the permissions of the cache's files. Another user may create the folder at the same time, so the check is repeated.
    private static FilePermissions CreateFolder(string directory, FilePermissions asked)
    {
        CacheFiles.RefuseForeign(directory, asked);
        asked.CreateFolder(directory);
        CacheFiles.RefuseForeign(directory, asked);
        return CacheFiles.PermissionsOf(directory) ?? asked;
    }

    // A process that the writer is starting also holds the lease, until it begins to run its own program.
    private static FileLease AcquireLease(string directory, int keyKind, FilePermissions permissions)
    {
        var deadline = Environment.TickCount64 + (long)LeaseTimeout.TotalMilliseconds;
        while (true)
        {
            if (FileLease.TryAcquireVerified(CacheFiles.WriterLease(directory), permissions) is { } lease)
            {
                return lease;
            }

            // A process of another container is not seen here.
            var writer = ReadWriter(directory, keyKind);
            if (Environment.TickCount64 > deadline || FileLease.IsAlive(writer.ProcessId))
            {
                throw writer;
            }

            Thread.Sleep(1);
        }
    }

    // Other processes join a cache that is marked, even while its owner is still opening it.
    private static void MarkShared(CacheControl control, bool isShared)
    {
        var path = CacheFiles.Owner(control.Directory);
        if (!isShared)
        {
            CacheFiles.TryDelete(path);
        }
        else if (!File.Exists(path))
        {
            control.Permissions.CreateFolder(CacheFiles.Sharing(control.Directory));
            control.Permissions.CreateEmpty(path);
        }
    }

    private static void Sign(ref ControlHeader header)
    {
        var start = new DateTimeOffset(ThisProcess.StartTicks(), TimeSpan.Zero);
        header.QueueFailure = 0;
        header.WriterProcess = Environment.ProcessId;
        header.WriterStart = start.ToUnixTimeMilliseconds();
    }
}
