using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>Records whose chunk is not in its segment yet, because memory is short.</summary>
public sealed class StagedChunksTests : StagedCache
{
    [LinuxFact]
    public void A_record_is_read_by_its_own_and_by_another_process_before_it_is_in_its_segment()
    {
        using var cache = OpenFilled();
        using var reader = MessageCache.OpenReadOnly<int>(Folder);

        cache.Set(NewKey, ValueOf(NewKey));

        Assert.False(IsInSegments(NewKey));
        Assert.Equal(ValueOf(NewKey), cache.Read(NewKey));
        Assert.Equal(ValueOf(NewKey), reader.Read(NewKey));
    }

    [LinuxFact]
    public void A_chunk_is_in_its_segment_when_the_cache_is_closed()
    {
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
        }

        Assert.True(IsInSegments(NewKey));
        Assert.All(StagedWords(Folder), static word => Assert.Equal(0UL, word));
    }

    // By the numbers of docs/format/caches.md alone. No thread adds to the chunk while it is read.
    [LinuxFact]
    public void The_file_is_as_the_page_says()
    {
        const int SegmentBytes = 256 * 1024;
        const int RoomBytes = 2 * SegmentBytes / 64;
        const int Rooms = 4096;
        const int ValueOffset = 40;
        using var cache = OpenFilled();
        cache.Set(NewKey, ValueOf(NewKey));

        var bytes = Read(CacheFiles.Staged(Folder));
        Assert.Equal("BMSCSTG1"u8.ToArray(), bytes[..8]);
        Assert.Equal(Rooms + (9 * RoomBytes), bytes.Length);
        var lane = Assert.Single(Enumerable.Range(0, 9), number => PositionIn(number) >= 0);
        var word = U64(bytes, 64 + (8 * lane));
        var length = (int)(word & 0x3FFF) * 16;
        var location = (long)(word >> 16) * 16;
        var segment = Read(Path.Combine(Folder, $"{location / SegmentBytes:D4}.segment"));
        Assert.Equal(((ulong)length << 32) | 1, U64(segment, (int)(location % SegmentBytes)));

        var states = new Dictionary<int, ulong>();
        var offset = 0;
        while (offset < length)
        {
            var state = U64(bytes, Rooms + (lane * RoomBytes) + offset);
            Assert.InRange(state >> 32, 16UL, (ulong)(length - offset));
            Assert.InRange(state & 7, 1UL, 3UL);
            states.Add(offset, state);
            offset += (int)(state >> 32);
        }

        Assert.Equal(2UL, states[PositionIn(lane) - ValueOffset] & 7);

        int PositionIn(int number) => bytes.AsSpan(Rooms + (number * RoomBytes), RoomBytes).IndexOf(ValueOf(NewKey));

        static ulong U64(byte[] file, int position) => MemoryMarshal.Read<ulong>(file.AsSpan(position));
    }

    // A record of an earlier use of the segment, with the same key and length, may still be where the new one will be.
    [LinuxFact]
    public void No_earlier_value_is_read_while_chunks_come_and_go()
    {
        using var cache = OpenFilled();
        using var reader = MessageCache.OpenReadOnly<int>(Folder);
        var random = new Random(5);
        for (var round = 1; round <= 10; round++)
        {
            for (var key = 0; key < Keys; key++)
            {
                cache.Set(key, ValueOf(key + round));
                var asked = random.Next(4) == 0 ? random.Next(Keys) : key;
                var expected = ValueOf(asked <= key ? asked + round : asked + round - 1);
                Assert.Equal(expected, cache.Read(asked));
                Assert.Equal(expected, random.Next(8) == 0 ? reader.Read(asked) : expected);
            }
        }

        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    // All records of the earlier use of a segment are of the same key.
    [LinuxFact]
    public void An_entry_that_is_read_often_is_not_read_from_where_its_segment_has_an_earlier_value()
    {
        using var cache = OpenFilled();
        for (var number = 1; number <= 200_000; number++)
        {
            cache.Set(0, ValueOf(-number));
            Assert.Equal(-number, FirstOf(cache, 0));
            Assert.Equal(-number, FirstOf(cache, 0));
        }
    }

    [LinuxFact]
    public async Task A_chunk_goes_to_its_segment_when_no_thread_holds_it()
    {
        const int Offset = 4096;
        const int ChunkBytes = 1024;
        using var cache = OpenFilled();
        var control = CacheControl.Open(Folder, FileAccess.Read);
        using var other = new CacheDirectory();
        Directory.CreateDirectory(other);
        File.Copy(CacheFiles.Control(Folder), CacheFiles.Control(other));
        using var staged = new StagedChunks(CacheControl.Open(other, FileAccess.ReadWrite));
        staged.OpenOrCreate();
        var path = Path.Combine(other, "segment");
        MappedFile.Create(path, 2 * Offset, control.Permissions, CacheFiles.UnfinishedSuffix);
        using var segment = MappedFile.Open(path);
        Assert.True(staged.TryUse(0));
        Begin(staged);
        Assert.True(staged.TryHold(Offset / 16, out var hold));

        var moving = Task.Run(() => staged.Move(0, segment, Offset, ChunkBytes));
        SpinWait.SpinUntil(() => moving.IsCompleted, TimeSpan.FromMilliseconds(100));
        Assert.False(moving.IsCompleted);
        staged.Release(hold);
        await moving.WaitAsync(Generous);

        Assert.False(staged.TryHold(Offset / 16, out _));
        Assert.Equal((uint)ChunkBytes, RecordWord.Bytes(MemoryMarshal.Read<ulong>(Read(path).AsSpan(Offset))));

        static unsafe void Begin(StagedChunks staged) => staged.Begin(0, Offset / 16, ChunkBytes);
    }

    // Each time, the chunk of the small records leaves before it is found that no segment has room for the large one.
    [LinuxFact]
    public void A_chunk_that_is_continued_after_large_records_for_which_there_was_no_room_is_no_longer_than_its_room()
    {
        const int Slot = 0;
        const int SmallBytes = 64;
        Directory.CreateDirectory(Folder);
        var control = CacheControl.OpenOrCreate(Folder, CacheKey.KindOf<int>(), Options);
        MappedFile.Create(CacheFiles.Segment(Folder, Slot), control.SegmentBytes, control.Permissions, CacheFiles.UnfinishedSuffix);
        var segments = new SegmentMap(control, 4 * ResidentMemory.ChunkBytes, isReadOnly: false);
        try
        {
            segments.Staged.OpenOrCreate();
            segments.Map(Slot);
            segments.Memory.Use(Slot, 0, segments.RecordsEnd);
            var book = new SegmentBook(control);
            book.Create(Slot);
            var pool = new SegmentPool(segments, control, book, Options, static () => { });
            pool.Resume([Slot]);
            for (var round = 0; round < 5; round++)
            {
                Assert.True(segments.Memory.IsFull);
                Assert.True(pool.TryReserveCarry(SmallBytes, 0, out var small));
                pool.Finish(in small, isPublished: false);
                var isStaged = segments.Staged.Contains(small.Location);
                Assert.True(isStaged || RecordWord.Bytes(segments.WordAt(Slot, segments.OffsetOf(small.Location))) == SmallBytes);
                Assert.True(isStaged || round > 0);
                Assert.False(pool.TryReserveCarry((uint)(segments.RecordsEnd - SegmentHeader.Bytes), 0, out _));
            }
        }
        finally
        {
            segments.Release();
        }
    }

    [LinuxFact]
    public async Task No_expiry_is_lost_while_chunks_go_to_their_segments()
    {
        const int Touched = 200;
        using var cache = OpenFilled();
        using var end = new CancellationTokenSource();
        var setting = Task.Run(() =>
        {
            for (var key = Touched; !end.IsCancellationRequested; key = Touched + ((key + 1) % (Keys - Touched)))
            {
                cache.Set(key, ValueOf(key));
            }
        });
        for (var round = 0; round < 50; round++)
        {
            for (var key = 0; key < Touched; key++)
            {
                cache.Set(key, ValueOf(key), CacheExpiry.After(TimeSpan.FromMinutes(1)));
                Assert.True(cache.Touch(key, CacheExpiry.After(TimeSpan.FromHours(1))));
            }

            Clock.Now += TimeSpan.FromMinutes(30);
            Assert.All(Enumerable.Range(0, Touched), key => Assert.Equal(ValueOf(key), cache.Read(key)));
        }

        await end.CancelAsync();
        await setting.WaitAsync(Generous);
    }

    [LinuxFact]
    public void An_inspection_finds_the_records_and_no_damage()
    {
        using var cache = OpenFilled();
        cache.Set(NewKey, ValueOf(NewKey));

        using var listing = CacheListing.Of(Folder, CancellationToken.None);

        Assert.Empty(listing.Report.Findings);
        Assert.Equal(Keys + 1, listing.Entries.Count);
        var entry = Assert.Single(listing.Entries, static entry => MemoryMarshal.Read<int>(entry.Key) == NewKey);
        Assert.True(listing.TryRead(entry, out var value));
        Assert.Equal(ValueOf(NewKey), value);
    }

    private static int FirstOf(MessageCache<int> cache, int key)
    {
        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            return MemoryMarshal.Read<int>(lease.Value);
        }
    }
}
