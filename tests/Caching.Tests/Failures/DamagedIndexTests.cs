using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>A process that only reads cannot repair an index: it must throw an exception with file and fault, and must not wait forever.</summary>
public sealed class DamagedIndexTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("missing", "it is missing")]
    [InlineData("empty", "it is empty")]
    [InlineData("cut off", "does not match its 5000 bytes")]
    [InlineData("zeros", "does not match its")]
    [InlineData("generation", "it is missing")]
    [InlineData("negative generation", "it is missing")]
    public async Task A_read_of_a_damaged_index_ends_with_one_clear_exception(string damage, string fault)
    {
        Fill();
        Damage(damage);
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        var exception = await Assert.ThrowsAsync<CacheCorruptedException>(() => Task.Run(() => reader.Read(1)).WaitAsync(Generous));
        await Assert.ThrowsAsync<CacheCorruptedException>(() => Task.Run(() => reader.Contains(1)).WaitAsync(Generous));
        await Assert.ThrowsAsync<CacheCorruptedException>(() => Task.Run(() => reader.Keys.Count()).WaitAsync(Generous));

        Assert.Contains(fault, exception.Message, StringComparison.Ordinal);
        Assert.Contains("MessageCache.Open,", exception.Message, StringComparison.Ordinal);
        Assert.StartsWith("index.", Path.GetFileName(exception.File), StringComparison.Ordinal);
        Assert.Equal(0, reader.GetStatistics().IndexBytes);
    }

    [LinuxFact]
    public void The_index_of_a_cache_whose_folder_was_deleted_is_missing()
    {
        Fill();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Directory.Delete(_directory, recursive: true);

        Assert.Contains("it is missing", Assert.Throws<CacheCorruptedException>(() => reader.Read(1)).Message, StringComparison.Ordinal);
        Assert.Equal(0, reader.GetStatistics().IndexBytes);
    }

    // A link to itself cannot be opened, and neither can a file in a process that has too many.
    [LinuxFact]
    public void A_cache_whose_index_cannot_be_opened_has_statistics_and_is_closed_like_any_other()
    {
        Fill();
        var index = _directory.FileOf("index.*");
        File.Delete(index);
        File.CreateSymbolicLink(index, index);
        using (var reader = MessageCache.OpenReadOnly<int>(_directory))
        {
            Assert.Throws<IOException>(() => reader.Read(1));
            Assert.Equal((1L, 0L), (reader.GetStatistics().Entries, reader.GetStatistics().IndexBytes));
        }

        using var lease = FileLease.TryAcquire(CacheFiles.ReaderLease(_directory, 0), FilePermissions.OfUser);
        Assert.NotNull(lease);
    }

    [Fact]
    public async Task Many_threads_that_read_a_damaged_index_all_get_the_exception()
    {
        Fill();
        Damage("missing");
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        var reads = Enumerable.Range(0, 8).Select(_ => Task.Run(() => Assert.Throws<CacheCorruptedException>(() => reader.Read(1))));

        await Task.WhenAll(reads).WaitAsync(Generous);
    }

    [Fact]
    public void A_read_goes_on_when_a_writer_has_rebuilt_the_index()
    {
        Fill();
        Damage("missing");
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Assert.Throws<CacheCorruptedException>(() => reader.Read(1));

        using var writer = _directory.Open<int>();

        Assert.Equal(Values.Of(1, 100), reader.Read(1)!);
    }

    [Theory]
    [InlineData("no generation")]
    [InlineData("negative generation")]
    public void A_reader_of_an_index_whose_number_was_damaged_reads_the_one_that_was_rebuilt(string damage)
    {
        Fill();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Assert.Equal(Values.Of(1, 100), reader.Read(1)!);
        Damage(damage);

        using var writer = _directory.Open<int>();
        writer.Set(1, Values.Of(2, 100));

        Assert.Equal(Values.Of(2, 100), reader.Read(1)!);
        writer.Remove(1);
        Assert.Null(reader.Read(1));
    }

    [Fact]
    public async Task A_read_waits_for_a_writer_that_opens_the_cache_at_the_same_time()
    {
        Fill();
        Damage("missing");
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        using var isAsked = new ManualResetEventSlim();
        var read = Task.Run(() =>
        {
            isAsked.Set();
            return reader.Read(1);
        });
        isAsked.Wait();

        using var writer = _directory.Open<int>();

        Assert.Equal(Values.Of(1, 100), (await read)!);
    }

    [Fact]
    public async Task A_read_that_waits_for_an_index_ends_when_the_cache_is_disposed()
    {
        Fill();
        Damage("missing");
        var reader = MessageCache.OpenReadOnly<int>(_directory);
        var read = Task.Run(() => reader.Read(1));

        reader.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => read.WaitAsync(Generous));
    }

    [Fact]
    public async Task A_read_ends_in_a_chain_of_buckets_that_is_a_circle()
    {
        Fill();
        LinkInCircle(2);
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        Assert.False(await Task.Run(() => reader.Contains(2)).WaitAsync(Generous));
        Assert.Null(await Task.Run(() => reader.Read(2)).WaitAsync(Generous));
        await Task.Run(() => reader.Prefetch([2])).WaitAsync(Generous);
        Assert.Equal(Values.Of(1, 100), reader.Read(1)!);
    }

    // An overflow bucket that is linked to itself, with an entry that has the tag of the key and leads to the record of another one.
    private unsafe void LinkInCircle(int key)
    {
        var control = CacheControl.Open(_directory, FileAccess.Read);
        var table = IndexTable.TryOpen(_directory, control.Header.IndexGeneration, FileAccess.ReadWrite, out _)!;
        var there = new IndexWalk(table);
        Assert.True(there.MoveNext());
        var hash = XxHash64.Hash(BitConverter.GetBytes(key));
        var first = table.BucketAt(table.NumberOf(hash));
        first[IndexTable.Entries] = 1;
        var linked = table.Linked(first);
        linked[0] = IndexWord.Compose(hash, IndexWord.Location(there.Word), flags: 0);
        linked[IndexTable.Entries] = 1;
        GC.KeepAlive(table);
    }

    private void Fill()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 100));
    }

    private unsafe void Damage(string damage)
    {
        var index = _directory.FileOf("index.*");
        switch (damage)
        {
            case "missing":
                File.Delete(index);
                break;
            case "empty":
                File.WriteAllBytes(index, []);
                break;
            case "cut off":
                File.WriteAllBytes(index, File.ReadAllBytes(index)[..5_000]);
                break;
            case "zeros":
                File.WriteAllBytes(index, new byte[new FileInfo(index).Length]);
                break;
            default:
                using (var control = MappedFile.Open(CacheFiles.Control(_directory)))
                {
                    ((ControlHeader*)control.Start)->IndexGeneration = damage switch
                    {
                        "generation" => 12_345,
                        "no generation" => 0,
                        _ => -7,
                    };
                }

                break;
        }
    }
}
