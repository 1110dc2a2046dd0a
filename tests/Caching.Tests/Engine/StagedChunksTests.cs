using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>Records whose chunk is not in its segment yet, because memory is short.</summary>
public sealed class StagedChunksTests : IDisposable
{
    private const int Keys = 20_000;
    private const int NewKey = Keys;
    private const int Seeds = 25;
    private const int WordsOffset = 64;
    private const int WordsEnd = WordsOffset + (CacheControl.CountLanes * sizeof(ulong));
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [LinuxFact]
    public void A_record_is_read_by_its_own_and_by_another_process_before_it_is_in_its_segment()
    {
        using var cache = OpenFilled();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

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
        Assert.All(StagedWords(_directory), static word => Assert.Equal(0UL, word));
    }

    [LinuxFact]
    public void A_record_that_a_killed_process_has_left_is_moved_to_its_segment()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
            _directory.CopyTo(copy);
        }

        Assert.Contains(StagedWords(copy), static word => word != 0);
        using var again = copy.Open<int>(Options);
        Assert.All(StagedWords(copy), static word => Assert.Equal(0UL, word));
        AssertValues(again, NewKey + 1);
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

        var bytes = Read(CacheFiles.Staged(_directory));
        Assert.Equal("BMSCSTG1"u8.ToArray(), bytes[..8]);
        Assert.Equal(Rooms + (9 * RoomBytes), bytes.Length);
        var lane = Assert.Single(Enumerable.Range(0, 9), number => PositionIn(number) >= 0);
        var word = U64(bytes, 64 + (8 * lane));
        var length = (int)(word & 0x3FFF) * 16;
        var location = (long)(word >> 16) * 16;
        var segment = Read(Path.Combine(_directory, $"{location / SegmentBytes:D4}.segment"));
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

    // The system may have written the words and the chunks at different times.
    [LinuxFact]
    public void Chunks_are_not_moved_after_a_crash_of_the_machine()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
            _directory.CopyTo(copy);
        }

        const int BootOffset = 64;
        using (var control = File.OpenHandle(CacheFiles.Control(copy), FileMode.Open, FileAccess.Write))
        {
            RandomAccess.Write(control, new byte[16], BootOffset);
        }

        using var again = copy.Open<int>(Options);
        Assert.All(StagedWords(copy), static word => Assert.Equal(0UL, word));
        Assert.Null(again.Read(NewKey));
        Assert.Equal(0, again.GetStatistics().Corrupt);
        AssertNoOtherValue(again);
    }

    [LinuxFact]
    public void Noise_in_the_file_that_a_killed_process_has_left_gives_no_other_value()
    {
        using var left = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
            _directory.CopyTo(left);
        }

        for (var seed = 0; seed < Seeds; seed++)
        {
            using var copy = new CacheDirectory();
            left.CopyTo(copy);
            var random = new Random(seed);
            var path = CacheFiles.Staged(copy);
            Noise.Write(path, WordsOffset, seed % 2 == 0 ? WordsEnd : new FileInfo(path).Length, random);
            using var again = copy.Open<int>(Options);
            AssertNoOtherValue(again);
            again.Set(NewKey, ValueOf(1));
            Assert.Equal(ValueOf(1), again.Read(NewKey));
        }
    }

    [LinuxFact]
    public async Task Noise_in_the_file_of_an_open_cache_does_not_stop_it()
    {
        using var cache = OpenFilled();
        for (var seed = 0; seed < Seeds; seed++)
        {
            var random = new Random(seed);
            Noise.Write(CacheFiles.Staged(_directory), WordsOffset, WordsEnd, random);
            await Task.Run(() =>
            {
                for (var key = 0; key < Keys; key++)
                {
                    cache.Set(key, ValueOf(key));
                    cache.Touch(key);
                }
            }).WaitAsync(Generous);
            AssertValues(cache, Keys);
        }
    }

    // It finds the chunks by the words in the file.
    [LinuxFact]
    public void Noise_in_the_file_gives_a_process_that_only_reads_no_other_value()
    {
        using var cache = OpenFilled();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        AssertValues(reader, Keys);
        for (var seed = 0; seed < Seeds; seed++)
        {
            Noise.Write(CacheFiles.Staged(_directory), WordsOffset, WordsEnd, new Random(seed));
            AssertNoOtherValue(reader);
        }

        AssertValues(cache, Keys);
    }

    // A record of an earlier use of the segment, with the same key and length, may still be where the new one will be.
    [LinuxFact]
    public void No_earlier_value_is_read_while_chunks_come_and_go()
    {
        using var cache = OpenFilled();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
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

    // All records of the earlier use of a segment are of the same key. They begin where those of the chunk do in one of a few copies.
    [LinuxTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void No_earlier_value_is_read_in_place_of_one_whose_chunk_was_lost_when_its_process_was_killed(bool isDamaged)
    {
        using var cache = OpenFilled();
        for (var number = 1; number <= 200_000; number++)
        {
            cache.Set(0, ValueOf(-number));
            if (number > 100_000 && number % 4_001 == 0)
            {
                using var copy = new CacheDirectory();
                _directory.CopyTo(copy);
                LoseChunks(CacheFiles.Staged(copy));
                using var again = copy.Open<int>(Options);
                Assert.True(again.Read(0) is not { } value || value.AsSpan().SequenceEqual(ValueOf(-number)));
                Assert.Equal(ValueOf(-number), cache.Read(0));
            }
        }

        void LoseChunks(string path)
        {
            if (!isDamaged)
            {
                File.Delete(path);
                return;
            }

            using var file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite);
            var words = new byte[CacheControl.CountLanes * sizeof(ulong)];
            Assert.Equal(words.Length, RandomAccess.Read(file, words, 64));
            foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(words.AsSpan()))
            {
                // More bytes than a room has.
                word |= word == 0 ? 0 : 0x3FFFUL;
            }

            RandomAccess.Write(file, words, 64);
        }
    }

    [LinuxFact]
    public async Task A_chunk_goes_to_its_segment_when_no_thread_holds_it()
    {
        const int Offset = 4096;
        const int ChunkBytes = 1024;
        using var cache = OpenFilled();
        var control = CacheControl.Open(_directory, FileAccess.Read);
        using var other = new CacheDirectory();
        Directory.CreateDirectory(other);
        File.Copy(CacheFiles.Control(_directory), CacheFiles.Control(other));
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
        Directory.CreateDirectory(_directory);
        var control = CacheControl.OpenOrCreate(_directory, CacheKey.KindOf<int>(), Options);
        MappedFile.Create(CacheFiles.Segment(_directory, Slot), control.SegmentBytes, control.Permissions, CacheFiles.UnfinishedSuffix);
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
    public void An_expiry_that_is_changed_before_the_record_is_in_its_segment_is_kept()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey), CacheExpiry.After(TimeSpan.FromMinutes(1)));
            Assert.True(cache.Touch(NewKey, CacheExpiry.After(TimeSpan.FromMinutes(10))));
            Assert.False(IsInSegments(NewKey));
            _directory.CopyTo(copy);
        }

        _clock.Now += TimeSpan.FromMinutes(5);
        using var again = _directory.Open<int>(Options);
        using var left = copy.Open<int>(Options);
        Assert.Equal(ValueOf(NewKey), again.Read(NewKey));
        Assert.Equal(ValueOf(NewKey), left.Read(NewKey));
        _clock.Now += TimeSpan.FromMinutes(6);
        Assert.Null(again.Read(NewKey));
        Assert.Null(left.Read(NewKey));
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

            _clock.Now += TimeSpan.FromMinutes(30);
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

        using var listing = CacheListing.Of(_directory, CancellationToken.None);

        Assert.Empty(listing.Report.Findings);
        Assert.Equal(Keys + 1, listing.Entries.Count);
        var entry = Assert.Single(listing.Entries, static entry => MemoryMarshal.Read<int>(entry.Key) == NewKey);
        Assert.True(listing.TryRead(entry, out var value));
        Assert.Equal(ValueOf(NewKey), value);
    }

    private MessageCacheOptions Options => CacheDirectory.SmallWith(options =>
    {
        options.SegmentBytes = 256 * 1024;
        options.DiskBytes = 16 * options.SegmentBytes.Value;
        options.TimeProvider = _clock;
    });

    // All entries fit into the budget of the disk, and not into that of the memory.
    private MessageCache<int> OpenFilled()
    {
        var cache = _directory.Open<int>(Options);
        for (var round = 0; round < 2; round++)
        {
            for (var key = 0; key < Keys; key++)
            {
                cache.Set(key, ValueOf(key));
            }
        }

        Assert.Contains(StagedWords(_directory), static word => word != 0);
        return cache;
    }

    private static void AssertValues(MessageCache<int> cache, int count) =>
        Assert.All(Enumerable.Range(0, count), key => Assert.Equal(ValueOf(key), cache.Read(key)));

    // An entry may be lost.
    private static void AssertNoOtherValue(MessageCache<int> cache) =>
        Assert.All(Enumerable.Range(0, Keys + 1), key => Assert.True(cache.Read(key) is not { } value || value.AsSpan().SequenceEqual(ValueOf(key))));

    private static int FirstOf(MessageCache<int> cache, int key)
    {
        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            return MemoryMarshal.Read<int>(lease.Value);
        }
    }

    private static byte[] ValueOf(int number) => MemoryMarshal.AsBytes(Enumerable.Repeat(number, 8).ToArray().AsSpan()).ToArray();

    private bool IsInSegments(int key) =>
        Directory.GetFiles(_directory, "*.segment").Any(path => Read(path).AsSpan().IndexOf(ValueOf(key)) >= 0);

    private static ulong[] StagedWords(string directory) =>
        MemoryMarshal.Cast<byte, ulong>(Read(CacheFiles.Staged(directory)).AsSpan(WordsOffset..WordsEnd)).ToArray();

    private static byte[] Read(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }
}
