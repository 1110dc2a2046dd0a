using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>Caches that another process has open for writing.</summary>
public sealed class InUseTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_second_writer_is_told_which_process_has_the_cache()
    {
        using var writer = ChildProcess.Start(Parts.Hold, _directory);
        Assert.Equal("open", writer.Hear());

        var exception = Assert.Throws<CacheInUseException>(() => _directory.Open<string>());

        Assert.Equal(writer.ProcessId, exception.ProcessId);
        Assert.Contains("OpenReadOnly", exception.Message, StringComparison.Ordinal);
        writer.Kill();
        using var cache = _directory.Open<string>();
        Assert.Equal("value"u8, cache.Read("key")!);
    }

    // A process of another container is not seen by its id.
    [Fact]
    public void A_writer_that_is_not_seen_here_is_named_too()
    {
        const int Unseen = int.MaxValue;
        _directory.Open<string>().Dispose();
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        control.Header.WriterProcess = Unseen;
        GC.KeepAlive(control);
        using var lease = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser);

        var exception = Assert.Throws<CacheInUseException>(() => _directory.Open<string>());

        Assert.Equal(Unseen, exception.ProcessId);
        Assert.Contains("in process 2147483647, started ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void A_writer_whose_start_was_damaged_in_the_control_file_is_named_too(long start)
    {
        _directory.Open<string>().Dispose();
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        control.Header.WriterProcess = Environment.ProcessId;
        control.Header.WriterStart = start;
        GC.KeepAlive(control);
        using var lease = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser);

        var exception = Assert.Throws<CacheInUseException>(() => _directory.Open<string>());

        Assert.Equal(Environment.ProcessId, exception.ProcessId);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_cache_that_another_process_is_only_creating_is_in_use(bool isShared)
    {
        Directory.CreateDirectory(_directory);
        using var lease = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser);

        var exception = Assert.Throws<CacheInUseException>(() => _directory.Open<string>(CacheDirectory.SmallWith(options => options.Shared = isShared)));

        Assert.Equal(0, exception.ProcessId);
        Assert.Contains("in a process that is just opening it", exception.Message, StringComparison.Ordinal);
    }
}
