using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>The system writes the files of a cache at different times: after a crash of the machine the control file may be older than the segments.</summary>
public sealed class MachineCrashTests : IDisposable
{
    private const int Keys = 500;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_older_control_file_takes_no_entry_that_was_written(bool areRecordsWritten)
    {
        using (var cache = _directory.Open<int>())
        {
            SetAll(cache, 0, Keys, 300);
        }

        var control = File.ReadAllBytes(CacheFiles.Control(_directory));
        var segments = Directory.GetFiles(_directory, "*.segment").ToDictionary(static path => path, File.ReadAllBytes);
        using (var cache = _directory.Open<int>())
        {
            SetAll(cache, Keys, 2, 60_000);
        }

        Crash(control);
        if (!areRecordsWritten)
        {
            Directory.GetFiles(_directory, "*.segment").ToList().ForEach(path => KeepHeader(path, segments.GetValueOrDefault(path)));
        }

        var count = areRecordsWritten ? Keys + 2 : Keys;
        using (var again = _directory.Open<int>())
        {
            AssertAll(again, count);
        }

        // The index is not lost again.
        var index = _directory.FileOf("index.*");
        using var later = _directory.Open<int>();
        AssertAll(later, count);
        Assert.Equal(index, _directory.FileOf("index.*"));
    }

    [Fact]
    public void Entries_that_expired_leave_before_live_ones_although_the_control_file_does_not_know_them()
    {
        const int Live = 650;
        var clock = new ManualClock();
        var options = CacheDirectory.SmallWith(options => options.TimeProvider = clock);
        using (var cache = _directory.Open<int>(options))
        {
            SetAll(cache, 0, 400, 1_000);
        }

        var control = File.ReadAllBytes(CacheFiles.Control(_directory));
        using (var cache = _directory.Open<int>(options))
        {
            SetAll(cache, Live, 40, 10_000, CacheExpiry.After(TimeSpan.FromMinutes(1)));
        }

        Crash(control);
        clock.Now += TimeSpan.FromMinutes(2);
        using var again = _directory.Open<int>(options);
        SetAll(again, 400, Live - 400, 1_000);

        Assert.Equal(0, again.GetStatistics().Evicted);
        Assert.All(Enumerable.Range(0, Live), i => Assert.Equal(Values.Of(i, 1_000), again.Read(i)));
    }

    // Records that are written where others have been lost would count as dead when the index is rebuilt, and would be evicted when their segment is emptied.
    [Fact]
    public void Marks_of_records_that_were_not_written_are_not_those_of_later_ones()
    {
        const int Count = 20;
        var path = CacheFiles.Segment(_directory, 0);
        using (var cache = _directory.Open<int>())
        {
            SetAll(cache, 0, Count, 1_000);
        }

        var written = File.ReadAllBytes(path);
        using (var cache = _directory.Open<int>())
        {
            SetAll(cache, Count, Count, 1_000);
            SetAll(cache, Count, Count, 1_000);
        }

        // The system has written the marks, and not the records.
        var bytes = File.ReadAllBytes(path);
        written.AsSpan(0, (int)DeadMarks.StartOf(bytes.Length)).CopyTo(bytes);
        File.WriteAllBytes(path, bytes);
        Crash(File.ReadAllBytes(CacheFiles.Control(_directory)));
        using (var cache = _directory.Open<int>())
        {
            Assert.Equal(Count, cache.Count);
            SetAll(cache, Count, Count, 1_000);
        }

        File.Delete(_directory.FileOf("index.*"));
        using var again = _directory.Open<int>();
        Assert.Equal(2 * Count, again.Count);
        Assert.All(Enumerable.Range(0, 2 * Count), i => Assert.Equal(Values.Of(i, 1_000), again.Read(i)));
    }

    // With its number above that of the removal the entry would come back when the clock has reached it.
    [Fact]
    public void A_removal_by_a_tag_takes_entries_that_are_newer_than_the_file_of_tags()
    {
        using (var cache = _directory.Open<int>())
        {
            cache.RemoveByTag("other");
        }

        var tags = File.ReadAllBytes(CacheFiles.Tags(_directory));
        using (var cache = _directory.Open<int>())
        {
            RemoveOften(cache);
            cache.Set(1, Values.Of(1, 1_000), CacheExpiry.Never with { Tags = ["tag"] });
        }

        File.WriteAllBytes(CacheFiles.Tags(_directory), tags);
        Crash(File.ReadAllBytes(CacheFiles.Control(_directory)));
        using var again = _directory.Open<int>();
        Assert.True(again.Contains(1));
        again.RemoveByTag("tag");
        RemoveOften(again);

        Assert.False(again.Contains(1));

        static void RemoveOften(MessageCache<int> cache)
        {
            for (var i = 0; i < 10; i++)
            {
                cache.RemoveByTag("other");
            }
        }
    }

    private static void SetAll(MessageCache<int> cache, int first, int count, int bytes, CacheExpiry expiry = default)
    {
        for (var i = first; i < first + count; i++)
        {
            cache.Set(i, Values.Of(i, bytes), expiry);
        }
    }

    private static void AssertAll(MessageCache<int> cache, int count)
    {
        Assert.Equal(count, cache.Count);
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(Values.Of(i, 300), cache.Read(i)));
    }

    // The system has written the new header of a segment, and none of the records that came after it.
    private static void KeepHeader(string path, byte[]? before)
    {
        var bytes = File.ReadAllBytes(path);
        var isOpenedAgain = before is null || !bytes.AsSpan(0, SegmentHeader.Bytes).SequenceEqual(before.AsSpan(0, SegmentHeader.Bytes));
        var records = isOpenedAgain ? new byte[bytes.Length] : before!;
        records.AsSpan(SegmentHeader.Bytes).CopyTo(bytes.AsSpan(SegmentHeader.Bytes));
        File.WriteAllBytes(path, bytes);
    }

    private unsafe void Crash(byte[] control)
    {
        File.WriteAllBytes(CacheFiles.Control(_directory), control);
        using var file = MappedFile.Open(CacheFiles.Control(_directory));
        ((ControlHeader*)file.Start)->Boot = Guid.NewGuid();
    }
}
