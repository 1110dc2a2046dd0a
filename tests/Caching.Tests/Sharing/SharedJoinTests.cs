using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>Processes that join a shared cache whose first owner has not opened it yet.</summary>
public sealed class SharedJoinTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_process_that_joins_waits_for_the_first_index_and_makes_it_when_the_owner_dies()
    {
        var owner = BeginFirst();
        var joining = Task.Run(() => _directory.Open<int>(SharingPart.Options));
        try
        {
            Assert.False(SpinWait.SpinUntil(() => joining.IsCompleted, TimeSpan.FromMilliseconds(500)), "The process has joined without an index.");
        }
        finally
        {
            owner.Dispose();
        }

        using var joined = await joining.WaitAsync(Generous);
        joined.Set(1, "value"u8);
        Assert.Equal("value"u8.ToArray(), joined.Read(1)!);
    }

    [Fact]
    public void A_process_that_joins_does_not_wait_for_ever_for_an_owner_that_is_stopped()
    {
        using var owner = BeginFirst();

        using var engine = SharedCache.OpenEngine(_directory, CacheKey.KindOf<int>(), SharingPart.Options.Validated(), TimeSpan.Zero);

        Assert.True(engine.Store.IsReadOnly);
    }

    /// <summary>Makes the files that the first owner has made before it begins with the index.</summary>
    /// <returns>The lease of the owner.</returns>
    private FileLease BeginFirst()
    {
        _directory.Open<int>(SharingPart.Options).Dispose();
        var owner = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser)!;
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        File.Delete(CacheFiles.Index(_directory, control.Header.IndexGeneration));
        control.Header.IndexGeneration = 0;
        control.Header.Boot = default;
        GC.KeepAlive(control);
        return owner;
    }
}
