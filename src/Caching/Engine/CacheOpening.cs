using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Opens the files of a cache for writing: takes them as they are when they can be trusted, and rebuilds the index from the segments when not.</summary>
internal static unsafe class CacheOpening
{
    /// <summary>The process id of no writer.</summary>
    public const int NoWriter = 0;

    private static readonly TimeSpan LeaseTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Opens a cache for writing, and creates it if there is none.</summary>
    /// <exception cref="CacheInUseException">Somebody alive has it open for writing.</exception>
    public static CacheEngine Open(string directory, int keyKind, MessageCacheOptions options)
    {
        Directory.CreateDirectory(directory);
        var lease = AcquireLease(directory, keyKind);
        CacheStore? store = null;
        try
        {
            var control = CacheControl.OpenOrCreate(directory, keyKind, options);
            var segments = options.SegmentsOf(control.SegmentBytes);
            Sign(control.Header);
            store = new CacheStore(control, options, LeaseTable.InMemory());
            var isTrusted = control.Header->Boot == MachineBoot.Id;
            if (!TryMapSegments(store, isTrusted) || !isTrusted || !TryTrustIndex(store))
            {
                control.Header->Boot = default;
                IndexRebuild.Run(store, options.ExpectedEntries);
            }

            control.Header->Boot = MachineBoot.Id;
            CacheFiles.DeleteLeftovers(directory, control.Header->IndexGeneration);
            return new CacheEngine(lease, store, options, segments);
        }
        catch
        {
            store?.Dispose();
            lease.Dispose();
            throw;
        }
    }

    /// <summary>Opens a cache for reading, while another process may write to it.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    public static CacheEngine OpenReadOnly(string directory, int keyKind, MessageCacheOptions options)
    {
        if (!File.Exists(CacheFiles.Control(directory)))
        {
            throw new FileNotFoundException($"There is no cache in '{directory}'. A process that writes has to open it first.", CacheFiles.Control(directory));
        }

        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);
        var (leases, lease) = ReaderProcesses.Join(directory);
        return new CacheEngine(new CacheStore(control, options, leases, lease), options);
    }

    // A process that the writer is just starting has its lease too, for an instant: until it becomes the program that it is to be.
    private static FileLease AcquireLease(string directory, int keyKind)
    {
        var deadline = Environment.TickCount64 + (long)LeaseTimeout.TotalMilliseconds;
        while (true)
        {
            if (FileLease.TryAcquireVerified(CacheFiles.WriterLease(directory)) is { } lease)
            {
                return lease;
            }

            if (File.Exists(CacheFiles.Control(directory)) && ReadWriter(directory, keyKind) is { ProcessId: not NoWriter } writer && IsAlive(writer.ProcessId))
            {
                throw writer;
            }

            if (Environment.TickCount64 > deadline)
            {
                throw new CacheInUseException(directory, NoWriter, default);
            }

            Thread.Sleep(1);
        }
    }

    private static CacheInUseException ReadWriter(string directory, int keyKind)
    {
        var control = CacheControl.Open(directory, keyKind, FileAccess.Read);
        var exception = new CacheInUseException(
            directory, Volatile.Read(ref control.Header->WriterProcess), DateTimeOffset.FromUnixTimeMilliseconds(Volatile.Read(ref control.Header->WriterStart)));
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

    private static void Sign(ControlHeader* header)
    {
        using var process = System.Diagnostics.Process.GetCurrentProcess();
        header->WriterProcess = Environment.ProcessId;
        header->WriterStart = new DateTimeOffset(process.StartTime.ToUniversalTime()).ToUnixTimeMilliseconds();
    }

    // Maps every segment there is. False when the table of slots does not say what the segments say.
    private static bool TryMapSegments(CacheStore store, bool isTrusted)
    {
        var control = store.Control;
        var areAsNoted = true;
        for (var slot = 0; slot < control.SlotCount; slot++)
        {
            ref var state = ref control.Slot(slot);
            var wasThere = state.State is SlotState.Free or SlotState.Open;
            if (wasThere || (!isTrusted && File.Exists(CacheFiles.Segment(control.Directory, slot))))
            {
                areAsNoted &= TryMap(store, slot) && wasThere;
            }
            else
            {
                areAsNoted &= state.State == SlotState.Absent;
                state.State = SlotState.Absent;
            }
        }

        return areAsNoted;
    }

    private static bool TryMap(CacheStore store, int slot)
    {
        ref var state = ref store.Control.Slot(slot);
        try
        {
            store.Map(slot);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            state.State = SlotState.Absent;
            CacheFiles.TryDelete(CacheFiles.Segment(store.Control.Directory, slot));
            return false;
        }

        var header = store.HeaderOf(slot);
        var isOpen = header->IsOpen(slot);
        var isAsNoted = state.State == SlotState.Free || (isOpen && header->OpenSequence == state.OpenSequence);
        if (!isAsNoted)
        {
            state.State = isOpen ? SlotState.Open : SlotState.Free;
            state.OpenSequence = isOpen ? header->OpenSequence : 0;
        }

        return isAsNoted;
    }

    // One walk over the index: entries lead into segments that are open, and are counted. Their checksums are compared when they are read.
    private static bool TryTrustIndex(CacheStore store)
    {
        var control = store.Control;
        var table = IndexTable.TryOpen(control.Directory, control.Header->IndexGeneration, FileAccess.ReadWrite, out _);
        if (table is null || !table.HasValidLinks())
        {
            return false;
        }

        var counts = new long[control.SlotCount];
        for (var number = 0L; number < table.Buckets; number++)
        {
            for (var bucket = table.BucketAt(number); bucket is not null; bucket = table.Linked(bucket))
            {
                for (var i = 0; i < IndexTable.Entries; i++)
                {
                    var word = bucket[i];
                    if (word == IndexWord.Empty)
                    {
                        continue;
                    }

                    var slot = store.SlotOf(IndexWord.Location(word));
                    if (slot >= counts.Length || control.Slot(slot).State != SlotState.Open || store.OffsetOf(IndexWord.Location(word)) < SegmentHeader.Bytes)
                    {
                        return false;
                    }

                    counts[slot]++;
                    bucket[i] = word & ~IndexWord.Checked;
                }
            }
        }

        for (var slot = 0; slot < counts.Length; slot++)
        {
            control.Slot(slot).Entries = counts[slot];
        }

        store.Table = table;
        return true;
    }
}
