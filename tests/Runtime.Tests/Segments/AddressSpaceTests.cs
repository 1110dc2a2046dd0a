using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed unsafe class AddressSpaceTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("bmq-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void A_released_mapping_stays_memory_that_can_be_read_and_written()
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, 100_000, FilePermissions.OfUser, "creating", file => file.Start[99_999] = 7);
        var mapped = MappedFile.Open(path);
        var start = mapped.Start;

        mapped.Dispose();
        start[99_999]++;

        using var again = MappedFile.Open(path);
        Assert.Equal(7, again.Start[99_999]);
        Assert.False(again.Start == start);
    }

    [Fact]
    public void Addresses_of_one_length_are_used_again_so_that_they_do_not_run_out()
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, 12_345 * 16, FilePermissions.OfUser, "creating");
        var starts = new HashSet<nint>();
        for (var i = 0; i < 1_000; i++)
        {
            using var mapped = MappedFile.Open(path);
            starts.Add((nint)mapped.Start);
            Assert.Equal(0, mapped.Start[i]);
            mapped.Start[0] = 0;
        }

        Assert.InRange(starts.Count, 2, 40);
    }

    [Theory]
    [InlineData(2 * 1024 * 1024)]
    [InlineData((2 * 1024 * 1024) + 64)]
    [InlineData(5_000_000)]
    public void A_mapping_that_may_have_huge_pages_begins_where_the_kernel_maps_them(int bytes)
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, bytes, FilePermissions.OfUser, "creating");
        using var first = MappedFile.Open(path);
        using var second = MappedFile.Open(path);

        second.Start[0] = 1;
        second.Start[bytes - 1] = 2;

        Assert.Equal((1, 2), (first.Start[0], first.Start[bytes - 1]));
        if (LinuxKernel.IsSupported)
        {
            Assert.Equal((0, 0), ((nint)first.Start % HugePages.Bytes, (nint)second.Start % HugePages.Bytes));
        }
    }

    [Fact]
    public void Reserved_memory_holds_zeros_and_is_used_again_as_zeros()
    {
        const int Bytes = 777 * 4096;
        var starts = new HashSet<nint>();
        for (var i = 0; i < 100; i++)
        {
            var start = AddressSpace.Reserve(Bytes);
            starts.Add((nint)start);
            Assert.Equal(0, start[0]);
            Assert.Equal(0, start[Bytes - 1]);
            start[0] = start[Bytes - 1] = 1;
            AddressSpace.Release(start, Bytes);
        }

        Assert.InRange(starts.Count, 2, 40);
    }

    [Fact]
    public void A_file_that_cannot_be_mapped_is_an_exception()
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, 4096, FilePermissions.OfUser, "creating");
        using var file = File.OpenHandle(path);

        var exception = Assert.Throws<IOException>(() => AddressSpace.Map(file, path, 4096, isWritable: true) is null);

        Assert.Contains($"'{path}'", exception.Message, StringComparison.Ordinal);
    }
}
