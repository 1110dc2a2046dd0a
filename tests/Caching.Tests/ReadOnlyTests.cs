using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

public sealed class ReadOnlyTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_reader_sees_what_the_writer_sets_at_once()
    {
        using var writer = _directory.Open<int>(CacheDirectory.SmallWith(options => { options.ExpectedEntries = 1; options.DiskBytes = 64 * CacheDirectory.SegmentBytes; }));
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        for (var i = 0; i < 20_000; i++)
        {
            writer.Set(i, BitConverter.GetBytes(i));
            Assert.Equal(BitConverter.GetBytes(i), reader.Read(i)!);
        }

        writer.Remove(5);
        Assert.Null(reader.Read(5));
        Assert.Equal(writer.Count, reader.Count);
        Assert.True(reader.IsReadOnly);
    }

    [Fact]
    public async Task A_reader_cannot_write()
    {
        var created = 0;
        using var writer = _directory.Open<int>();
        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        Assert.Throws<InvalidOperationException>(() => reader.Set(1, "value"u8));
        Assert.Throws<InvalidOperationException>(() => reader.Remove(1));
        Assert.Throws<InvalidOperationException>(reader.Clear);
        Assert.Throws<InvalidOperationException>(() => reader.Touch(1));
        Assert.Throws<InvalidOperationException>(() => reader.GetOrCreate(1, _ => ++created, new NumberSerializer()));
        await Assert.ThrowsAsync<InvalidOperationException>(() => reader.GetOrCreateAsync(1, (_, _) => ValueTask.FromResult(++created), new NumberSerializer()).AsTask());
        Assert.Equal(0, created);
    }

    [LinuxFact]
    public void A_cache_that_cannot_be_looked_at_is_not_said_to_be_missing()
    {
        using (_directory.Open<int>())
        {
        }

        using (new HiddenPath(_directory))
        {
            // With a mode for others, or the link alone would be refused.
            var options = new MessageCacheOptions { FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite };
            Assert.Throws<IOException>(() => MessageCache.OpenReadOnly<int>(_directory, options));
        }

        MessageCache.OpenReadOnly<int>(_directory).Dispose();
    }

    [Fact]
    public void There_must_be_a_cache_to_read() =>
        Assert.Throws<FileNotFoundException>(() => MessageCache.OpenReadOnly<int>(_directory));

    [Fact]
    public void A_lease_of_another_process_keeps_its_bytes_and_stops_no_thread()
    {
        using var writer = _directory.Open<int>();
        writer.Set(0, Values.Of(0, 1_000));
        using var peer = ChildProcess.Start(Parts.HoldLease, _directory);
        Assert.Equal("held", peer.Hear());

        for (var i = 1; i < 5_000; i++)
        {
            writer.Set(i, Values.Of(i, 1_000));
        }

        Assert.Null(writer.Read(0));
        peer.Tell();
        Assert.Equal("same", peer.Hear());
    }

    [Fact]
    public void The_leases_of_a_killed_process_are_void()
    {
        using var writer = _directory.Open<int>();
        for (var round = 0; round < 3; round++)
        {
            writer.Set(0, Values.Of(0, 1_000));
            using var peer = ChildProcess.Start(Parts.HoldLease, _directory);
            Assert.Equal("held", peer.Hear());
            peer.Kill();
        }

        var readers = new ReaderProcesses(writer.Directory, FilePermissions.OfUser);
        Assert.DoesNotContain(Enumerable.Range(0, 16), readers.Hold);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public void A_file_of_leases_that_was_cut_off_is_made_whole_by_the_next_reader(int bytes)
    {
        using var writer = _directory.Open<int>();
        writer.Set(0, Values.Of(0, 1_000));
        MessageCache.OpenReadOnly<int>(_directory).Dispose();
        Cut(_directory.FileOf("reader-00.pins"), bytes);

        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Assert.True(reader.TryGet(0, out var lease));
        for (var i = 1; i < 5_000; i++)
        {
            writer.Set(i, Values.Of(i, 1_000));
        }

        Assert.Equal(Values.Of(0, 1_000), lease.Value);
        lease.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public void A_file_of_leases_that_was_cut_off_holds_segments_while_its_process_lives(int bytes)
    {
        using var writer = _directory.Open<int>();
        File.WriteAllBytes(CacheFiles.ReaderLeases(_directory, 0), new byte[bytes]);
        using (FileLease.TryAcquire(CacheFiles.ReaderLease(_directory, 0), FilePermissions.OfUser))
        {
            Assert.True(new ReaderProcesses(_directory, FilePermissions.OfUser).Hold(0));
        }

        Assert.False(new ReaderProcesses(_directory, FilePermissions.OfUser).Hold(0));
        for (var i = 0; i < 5_000; i++)
        {
            writer.Set(i, Values.Of(i, 1_000));
        }

        Assert.Equal(Values.Of(4_999, 1_000), writer.Read(4_999)!);
    }

    [LinuxFact]
    public void A_file_of_leases_that_is_cut_while_the_writer_looks_at_it_does_not_end_the_writer()
    {
        const int Rounds = 200;
        _directory.Open<int>().Dispose();
        var leases = CacheFiles.ReaderLeases(_directory, 0);
        File.WriteAllBytes(leases, new byte[LeaseTable.Cells * sizeof(ulong)]);
        using var writer = ChildProcess.Start(Parts.RemoveTags, _directory);
        using (FileLease.TryAcquire(CacheFiles.ReaderLease(_directory, 0), FilePermissions.OfUser))
        {
            // Segments are reused in these rounds.
            Go(writer, Rounds);
            Cut(leases, 0);
        }

        Go(writer, Rounds);
        Assert.False(File.Exists(leases));
    }

    [Fact]
    public void A_segment_that_cannot_be_read_ahead_is_not_held()
    {
        using (var writer = _directory.Open<int>())
        {
            writer.Set(1, "value"u8);
        }

        var path = _directory.FileOf("0000.segment");
        using (var file = new FileStream(path, FileMode.Open))
        {
            file.Position = 24;
            file.Write([0, 0, 0, 0x80]);
        }

        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Assert.Throws<NotSupportedException>(() => reader.Prefetch([1]));
        Assert.False(new ReaderProcesses(_directory, FilePermissions.OfUser).Hold(0));
    }

    [Fact]
    public void A_writer_that_opens_leaves_the_file_that_a_reader_is_making()
    {
        _directory.Open<int>().Dispose();
        string[] files = [CacheFiles.ReaderLeases(_directory, 0) + ".creating", CacheFiles.Index(_directory, 99) + ".creating"];
        Array.ForEach(files, static file => File.WriteAllText(file, "unfinished"));

        using var writer = _directory.Open<int>();
        Assert.Equal([true, false], files.Select(File.Exists));
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        Assert.False(File.Exists(files[0]));
    }

    [LinuxFact]
    public async Task Threads_that_map_a_segment_at_the_same_time_leave_no_mapping_behind()
    {
        const int Rounds = 200;
        const int Segments = 8;
        using (var writer = _directory.Open<int>())
        {
            Enumerable.Range(0, 700).ToList().ForEach(key => writer.Set(key, Values.Of(key, 1_000)));
        }

        var control = CacheControl.Open(_directory, FileAccess.Read);
        for (var round = 0; round < Rounds; round++)
        {
            var segments = new SegmentMap(control, memoryBytes: 1024 * 1024, isReadOnly: true);
            using var start = new Barrier(2);
            await Task.WhenAll(Task.Run(Follow), Task.Run(Follow));
            segments.Release();

            void Follow()
            {
                start.SignalAndWait();
                Assert.All(Enumerable.Range(0, Segments), slot => Assert.True(segments.TryFollow(slot)));
            }
        }

        Assert.DoesNotContain(File.ReadLines("/proc/self/maps"), line => line.Contains(_directory, StringComparison.Ordinal) && line.EndsWith(".segment", StringComparison.Ordinal));
    }

    [LinuxFact]
    public void A_segment_whose_file_was_replaced_leaves_no_mapping_behind()
    {
        using (var writer = _directory.Open<int>())
        {
            writer.Set(1, Values.Of(1, 1_000));
        }

        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        var segments = new SegmentMap(control, memoryBytes: 1024 * 1024, isReadOnly: true);
        for (var file = 1; file <= 3; file++)
        {
            control.Slot(0).File = file;
            Assert.True(segments.TryFollow(0));
            Assert.True(segments.TryRead(0, SegmentHeader.Bytes, out _));
            Assert.Equal(ResidentMemory.ChunkBytes, segments.Memory.Bytes);
        }

        segments.Release();
        Assert.DoesNotContain(File.ReadLines("/proc/self/maps"), line => line.Contains(_directory, StringComparison.Ordinal) && line.EndsWith(".segment", StringComparison.Ordinal));
    }

    private static void Go(ChildProcess writer, int rounds)
    {
        for (var round = 0; round < rounds; round++)
        {
            Assert.NotNull(writer.Hear());
            writer.Tell();
        }
    }

    private static void Cut(string file, long bytes)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        stream.SetLength(bytes);
    }
}
