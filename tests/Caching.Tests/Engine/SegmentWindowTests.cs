using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>Segments that are emptied while memory is short: their records are read from the file, and not where they are mapped.</summary>
public sealed class SegmentWindowTests : StagedCache
{
    [LinuxFact]
    public void A_walk_in_windows_finds_the_records_that_a_walk_over_mapped_memory_finds()
    {
        using var cache = OpenFilled(out var store);
        var window = new SegmentWindow(store.Segments, store.ExpiryChanges);
        var random = new Random(3);
        for (var key = NewKey; key < NewKey + 400; key++)
        {
            // Some are longer than a window, which has 16 KB.
            cache.Set(key, Values.Of(key, random.Next(4) == 0 ? random.Next(40_000) : random.Next(100)));
        }

        AwaitFreeSegments();
        var records = 0;
        var mapped = 0;
        foreach (var slot in FullSegments(store))
        {
            window.Begin(slot);
            var walk = new SegmentWalk(store.Segments, slot, window);
            for (var expected = new SegmentWalk(store.Segments, slot); expected.MoveNext(); records++)
            {
                Assert.True(walk.MoveNext());
                Assert.Equal((expected.Position, Convert.ToHexString(expected.Record.Key)), (walk.Position, Convert.ToHexString(walk.Record.Key)));
                Assert.Equal(expected.Record.Value, walk.Record.Value);
                mapped += walk.IsCopy ? 0 : 1;
            }

            Assert.False(walk.MoveNext());
            Assert.True(walk.IsWhole);
        }

        Assert.True(records > Keys / 2, $"Only {records} records were found.");
        Assert.InRange(mapped, 1, 100);
    }

    [LinuxFact]
    public void A_walk_that_keeps_its_window_goes_on_with_the_same_record_in_the_next_one()
    {
        using var cache = OpenFilled(out var store);
        var window = new SegmentWindow(store.Segments, store.ExpiryChanges);
        var slot = FullSegments(store)[0];
        window.Begin(slot);
        var walk = new SegmentWalk(store.Segments, slot, window);
        var windows = 0;
        for (var expected = new SegmentWalk(store.Segments, slot); expected.MoveToUnmarked();)
        {
            if (!walk.MoveToUnmarked(keepsWindow: true))
            {
                windows++;
                Assert.True(walk.MoveToUnmarked());
            }

            Assert.Equal(expected.Position, walk.Position);
        }

        Assert.InRange(windows, 2, 17);
    }

    [LinuxFact]
    public void A_sample_has_as_many_records_however_few_are_in_a_window()
    {
        const int SampleLength = 256;
        using var cache = OpenFilled(out var store);
        for (var key = NewKey; key < NewKey + 400; key++)
        {
            cache.Set(key, Values.Of(key, 3_000));
        }

        AwaitFreeSegments();
        var records = new LiveRecords(store, new IndexWriter(store, new SegmentBook(store.Control), new WriteLanes(store.Segments, store.Control), verifiesFirst: false));
        Assert.All(FullSegments(store), slot =>
        {
            var live = 0;
            for (var walk = new SegmentWalk(store.Segments, slot); walk.MoveToUnmarked();)
            {
                live++;
            }

            var sampled = 0;
            for (records.BeginSample(slot); records.TryNext(out _);)
            {
                sampled++;
            }

            Assert.Equal(Math.Min(live, SampleLength), sampled);
        });
    }

    // A page that the disk cannot read also ends a read. Zeros in its place would be carried over as a part of a record, and reads do not verify what this process has written.
    [LinuxFact]
    public void Bytes_that_could_not_be_read_are_an_exception_and_not_zeros()
    {
        const int Slot = 0;
        using (var cache = Folder.Open<int>(Options))
        {
            cache.Set(NewKey, ValueOf(NewKey));
        }

        var segments = new SegmentMap(CacheControl.Open(Folder, FileAccess.Read), memoryBytes: 1024 * 1024, isReadOnly: true);
        try
        {
            segments.Map(Slot);
            using (var file = new FileStream(CacheFiles.Segment(Folder, Slot), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
            {
                file.SetLength(SegmentHeader.Bytes + 48);
            }

            var window = new SegmentWindow(segments, new ExpiryChanges(segments.Slots));
            window.Begin(Slot);
            Assert.Throws<EndOfStreamException>(() => window.MoveTo(SegmentHeader.Bytes));
            Assert.False(window.Contains(SegmentHeader.Bytes, sizeof(ulong)));
        }
        finally
        {
            segments.Release();
        }
    }

    [LinuxFact]
    public void A_copied_record_whose_expiry_was_changed_since_is_not_over()
    {
        using var cache = OpenFilled(out var store);
        cache.Set(NewKey, ValueOf(NewKey), CacheExpiry.After(TimeSpan.FromMinutes(1)));
        for (var key = 0; key < Keys / 2; key++)
        {
            cache.Set(key, ValueOf(key));
        }

        AwaitFreeSegments();
        var found = Find(store, NewKey, out var window);
        Assert.NotNull(found.ExpiryChanges);
        Assert.False(store.IsOver(in found));
        Assert.True(cache.Touch(NewKey, CacheExpiry.After(TimeSpan.FromHours(1))));
        Clock.Now += TimeSpan.FromMinutes(30);

        Assert.True(store.IsOver(found.Record));
        Assert.False(store.IsOver(in found));
        Assert.Equal(ValueOf(NewKey), cache.Read(NewKey));

        // The copy is in its memory.
        GC.KeepAlive(window);
    }

    [LinuxFact]
    public void An_expiry_that_a_record_gets_between_its_copy_and_its_move_is_noted_for_the_new_segment()
    {
        const int Ended = NewKey;
        const int Touched = NewKey + 1;
        using var cache = OpenFilled(out var store);
        cache.Set(Ended, ValueOf(Ended), CacheExpiry.After(TimeSpan.FromMinutes(1)));
        cache.Set(Touched, ValueOf(Touched));
        Clock.Now += TimeSpan.FromMinutes(2);

        // The thread that empties segments asks for the time when it comes to the first of them, which is not carried over. By then it has copied both.
        var isTouched = false;
        Clock.Asked = () =>
        {
            if (!isTouched && Thread.CurrentThread.Name == "MessageCache segments")
            {
                isTouched = true;
                Assert.True(cache.Touch(Touched, CacheExpiry.After(TimeSpan.FromHours(1))));
            }
        };
        var old = LocationOf(store, Touched);
        for (var sets = 0; sets < 10 * Keys && LocationOf(store, Touched) == old; sets++)
        {
            cache.Set(sets % Keys, ValueOf(sets % Keys));
        }

        AwaitFreeSegments();
        var location = LocationOf(store, Touched);
        Assert.NotEqual(old, location);
        Assert.True(isTouched);
        Assert.NotEqual(0u, store.Control.Slot(store.Segments.SlotOf(location)).Flags & SlotState.Expiring);
        Clock.Now += TimeSpan.FromHours(2);
        Assert.Null(cache.Read(Touched));
    }

    [LinuxFact]
    public async Task No_expiry_is_lost_while_entries_are_carried_over()
    {
        using var cache = OpenFilled();
        for (var round = 0; round < 8; round++)
        {
            for (var key = 0; key < Keys; key++)
            {
                cache.Set(key, ValueOf(key), IsTouched(key) ? CacheExpiry.After(TimeSpan.FromHours(1)) : default);
            }

            await TouchWhileCarriedAsync(cache);
        }

        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    private async Task TouchWhileCarriedAsync(MessageCache<int> cache)
    {
        var touched = Enumerable.Range(0, Keys).Where(IsTouched).ToArray();
        var enough = cache.GetStatistics().Carried + (touched.Length / 2);
        using var end = new CancellationTokenSource();

        // Each segment has entries that are touched, among others that are replaced.
        var setting = Task.Run(() =>
        {
            for (var key = 0; !end.IsCancellationRequested; key = (key + 1) % Keys)
            {
                if (!IsTouched(key))
                {
                    cache.Set(key, ValueOf(key));
                }
            }
        });
        while (cache.GetStatistics().Carried < enough)
        {
            Clock.Now += TimeSpan.FromMinutes(30);
            Assert.All(touched, key => Assert.True(cache.Touch(key, CacheExpiry.After(TimeSpan.FromHours(1)))));
        }

        await end.CancelAsync();
        await setting.WaitAsync(Generous);
        Clock.Now += TimeSpan.FromMinutes(30);
        Assert.All(touched, key => Assert.Equal(ValueOf(key), cache.Read(key)));
    }

    private static bool IsTouched(int key) => key % 10 == 0;

    private static long LocationOf(CacheStore store, int key)
    {
        var bytes = BitConverter.GetBytes(key);
        Assert.True(store.Finder.TryPin(bytes, XxHash64.Hash(bytes), out var pinned));
        store.Leases.Undo(pinned.Ticket);
        return pinned.Location;
    }

    private static int[] FullSegments(CacheStore store) =>
        [.. Enumerable.Range(0, store.Segments.Slots).Where(slot => store.Segments.IsMapped(slot)
            && store.Control.Slot(slot) is { State: SlotState.Open, EndUnits: not 0 })];

    private static LiveRecord Find(CacheStore store, int key, out SegmentWindow window)
    {
        window = new SegmentWindow(store.Segments, store.ExpiryChanges);
        foreach (var slot in FullSegments(store))
        {
            window.Begin(slot);
            for (var walk = new SegmentWalk(store.Segments, slot, window); walk.MoveToUnmarked();)
            {
                if (walk.Record.Value.SequenceEqual(ValueOf(key)))
                {
                    return new LiveRecord(walk.Record, store.Segments.LocationOf(slot, walk.Position), XxHash64.Hash(walk.Record.Key), window.ExpiryChanges);
                }
            }
        }

        throw new InvalidOperationException($"The record of {key} is in no full segment.");
    }
}
