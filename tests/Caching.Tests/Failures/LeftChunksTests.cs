using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Tests;

/// <summary>Chunks that were not in their segments yet when their process was killed, and noise in their file.</summary>
public sealed class LeftChunksTests : StagedCache
{
    private const int Seeds = 25;

    [LinuxFact]
    public void A_record_that_a_killed_process_has_left_is_moved_to_its_segment()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
            CopyTo(copy);
        }

        Assert.Contains(StagedWords(copy), static word => word != 0);
        using var again = copy.Open<int>(Options);
        Assert.All(StagedWords(copy), static word => Assert.Equal(0UL, word));
        AssertValues(again, NewKey + 1);
    }

    // The system may have written the words and the chunks at different times.
    [LinuxFact]
    public void Chunks_are_not_moved_after_a_crash_of_the_machine()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey));
            CopyTo(copy);
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
            CopyTo(left);
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
            Noise.Write(CacheFiles.Staged(Folder), WordsOffset, WordsEnd, random);
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
        using var reader = MessageCache.OpenReadOnly<int>(Folder);
        AssertValues(reader, Keys);
        for (var seed = 0; seed < Seeds; seed++)
        {
            Noise.Write(CacheFiles.Staged(Folder), WordsOffset, WordsEnd, new Random(seed));
            AssertNoOtherValue(reader);
        }

        AssertValues(cache, Keys);
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
                CopyTo(copy);
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
    public void An_expiry_that_is_changed_before_the_record_is_in_its_segment_is_kept()
    {
        using var copy = new CacheDirectory();
        using (var cache = OpenFilled())
        {
            cache.Set(NewKey, ValueOf(NewKey), CacheExpiry.After(TimeSpan.FromMinutes(1)));
            Assert.True(cache.Touch(NewKey, CacheExpiry.After(TimeSpan.FromMinutes(10))));
            Assert.False(IsInSegments(NewKey));
            CopyTo(copy);
        }

        Clock.Now += TimeSpan.FromMinutes(5);
        using var again = Folder.Open<int>(Options);
        using var left = copy.Open<int>(Options);
        Assert.Equal(ValueOf(NewKey), again.Read(NewKey));
        Assert.Equal(ValueOf(NewKey), left.Read(NewKey));
        Clock.Now += TimeSpan.FromMinutes(6);
        Assert.Null(again.Read(NewKey));
        Assert.Null(left.Read(NewKey));
    }
}
