using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class FileLeaseTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void A_lease_keeps_others_out_until_it_is_disposed()
    {
        using (var lease = FileLease.TryAcquireVerified(_path, FilePermissions.OfUser))
        {
            Assert.NotNull(lease);
            Assert.Null(FileLease.TryAcquire(_path, FilePermissions.OfUser));
            Assert.Null(FileLease.TryAcquireVerified(_path, FilePermissions.OfUser));
        }

        using var next = FileLease.TryAcquire(_path, FilePermissions.OfUser);
        Assert.NotNull(next);
    }

    [Fact]
    public void Nobody_gets_a_share_of_a_lease_that_is_held()
    {
        using (FileLease.TryAcquire(_path, FilePermissions.OfUser))
        {
            Assert.Null(FileLease.TryAcquireShare(_path, FilePermissions.OfUser));
        }

        using var share = FileLease.TryAcquireShare(_path, FilePermissions.OfUser);
        Assert.NotNull(share);
    }

    [Fact]
    public void Many_have_a_share_and_the_last_one_of_them_still_keeps_the_lease_from_being_taken()
    {
        var first = FileLease.TryAcquireShare(_path, FilePermissions.OfUser);
        var second = FileLease.TryAcquireShare(_path, FilePermissions.OfUser);
        Assert.NotNull(first);
        Assert.NotNull(second);

        first.Dispose();
        Assert.Null(FileLease.TryAcquire(_path, FilePermissions.OfUser));
        second.Dispose();
        using var lease = FileLease.TryAcquire(_path, FilePermissions.OfUser);
        Assert.NotNull(lease);
    }

    // Linux takes the locks by its own calls; elsewhere .NET does.
    [Fact]
    public void A_share_and_a_lease_are_the_locks_that_dotnet_takes()
    {
        using (File.OpenHandle(_path, FileMode.OpenOrCreate, FileAccess.Read, FileShare.Read))
        {
            Assert.Null(FileLease.TryAcquire(_path, FilePermissions.OfUser));
            using var share = FileLease.TryAcquireShare(_path, FilePermissions.OfUser);
            Assert.NotNull(share);
            Assert.Throws<IOException>(() => File.OpenHandle(_path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
        }

        using (File.OpenHandle(_path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None))
        {
            Assert.Null(FileLease.TryAcquireShare(_path, FilePermissions.OfUser));
        }
    }

    [Fact]
    public void A_missing_directory_is_not_taken_for_a_held_lease() =>
        Assert.Throws<DirectoryNotFoundException>(() => FileLease.TryAcquire(Path.Combine(_path + ".missing", "1"), FilePermissions.OfUser));
}
