using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class FileLeaseTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void A_lease_keeps_others_out_until_it_is_disposed()
    {
        using (var lease = FileLease.TryAcquireVerified(_path))
        {
            Assert.NotNull(lease);
            Assert.Null(FileLease.TryAcquire(_path));
            Assert.Null(FileLease.TryAcquireVerified(_path));
        }

        using var next = FileLease.TryAcquire(_path);
        Assert.NotNull(next);
    }

    [Fact]
    public void A_missing_directory_is_not_taken_for_a_held_lease() =>
        Assert.Throws<DirectoryNotFoundException>(() => FileLease.TryAcquire(Path.Combine(_path + ".missing", "1")));
}
