using System.Globalization;
using System.Runtime.InteropServices;
using BufferedMessages.Runtime.Tests.Queues;
using BufferedMessages.Segments;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed partial class FileLeaseTests : IDisposable
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

    [LinuxFact]
    public void A_file_that_the_system_cannot_lock_is_not_taken_for_locked()
    {
        using var opened = File.OpenHandle(_path);
        using var closed = new SafeFileHandle(int.MaxValue, ownsHandle: false);

        Assert.True(LinuxKernel.TryLock(opened, _path, isShared: true));
        var exception = Assert.Throws<IOException>(() => LinuxKernel.TryLock(closed, _path, isShared: true));

        Assert.Contains(_path, exception.Message, StringComparison.Ordinal);
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

    // A process that another thread is just starting has all files of this one open until it runs its program.
    [LinuxFact]
    public void A_lease_that_is_disposed_is_free_while_a_starting_process_still_has_its_file_open()
    {
        var lease = FileLease.TryAcquire(_path, FilePermissions.OfUser);
        Assert.NotNull(lease);
        var descriptor = Directory.EnumerateFiles("/proc/self/fd").Single(link => new FileInfo(link).LinkTarget == _path);
        using var inherited = new SafeFileHandle(Duplicate(int.Parse(Path.GetFileName(descriptor), CultureInfo.InvariantCulture)), ownsHandle: true);
        Assert.False(inherited.IsInvalid);

        lease.Dispose();

        using var next = FileLease.TryAcquire(_path, FilePermissions.OfUser);
        Assert.NotNull(next);
    }

    [Fact]
    public void A_missing_directory_is_not_taken_for_a_held_lease() =>
        Assert.Throws<DirectoryNotFoundException>(() => FileLease.TryAcquire(Path.Combine(_path + ".missing", "1"), FilePermissions.OfUser));

    // A thread may have opened the file before its holder deletes it, and lock it afterwards: then the path is that of another file, which other threads lock.
    [LinuxFact]
    public void A_lease_whose_file_each_holder_deletes_has_one_holder_at_a_time()
    {
        const int Rounds = 20_000;
        var holders = 0;
        var most = 0;
        var threads = Enumerable.Range(0, 4).Select(_ => new Background(() =>
        {
            for (var round = 0; round < Rounds; round++)
            {
                using var lease = FileLease.TryAcquireVerified(_path, FilePermissions.OfUser);
                if (lease is not null)
                {
                    InterlockedMax(ref most, Interlocked.Increment(ref holders));
                    Interlocked.Decrement(ref holders);
                    File.Delete(_path);
                }
            }
        })).ToList();

        threads.ForEach(static thread => thread.Join());
        Assert.Equal(1, most);
    }

    private static void InterlockedMax(ref int place, int value)
    {
        for (var seen = place; value > seen; seen = place)
        {
            Interlocked.CompareExchange(ref place, value, seen);
        }
    }

    [LibraryImport("libc", EntryPoint = "dup", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Duplicate(int descriptor);
}
