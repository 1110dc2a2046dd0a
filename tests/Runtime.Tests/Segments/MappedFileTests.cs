using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed unsafe class MappedFileTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("bmq-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void A_created_file_is_allocated_initialised_and_has_no_temporary_left()
    {
        var path = Path.Combine(_directory, "file");

        MappedFile.Create(path, 100_000, FilePermissions.OfUser, "creating", file => file.Start[99_999] = 7);

        using var mapped = MappedFile.Open(path);
        Assert.Equal(100_000, mapped.Length);
        Assert.Equal(0, mapped.Start[0]);
        Assert.Equal(7, mapped.Start[99_999]);
        Assert.Equal([path], Directory.GetFiles(_directory));
    }

    [Fact]
    public void Of_two_creators_the_first_wins()
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, 4096, FilePermissions.OfUser, "creating", file => file.Start[0] = 1);

        MappedFile.Create(path, 8192, FilePermissions.OfUser, "creating", file => file.Start[0] = 2);

        using var mapped = MappedFile.Open(path);
        Assert.Equal(4096, mapped.Length);
        Assert.Equal(1, mapped.Start[0]);
        Assert.Equal([path], Directory.GetFiles(_directory));
    }

    [Fact]
    public void What_one_mapping_writes_another_one_reads()
    {
        var path = Path.Combine(_directory, "file");
        MappedFile.Create(path, 1024 * 1024, FilePermissions.OfUser, "creating");
        using var writer = MappedFile.Open(path);
        using var reader = MappedFile.Open(path);

        writer.PrepareForWriting(0, writer.Length);
        writer.Start[500_000] = 9;

        Assert.Equal(9, reader.Start[500_000]);
    }

    [Fact]
    public void An_empty_file_is_not_mapped()
    {
        var path = Path.Combine(_directory, "file");
        File.WriteAllBytes(path, []);

        Assert.Throws<InvalidDataException>(() => MappedFile.Open(path));
    }

    // Those of Unix, Linux, macOS and Windows.
    [Theory]
    [InlineData(28)]
    [InlineData(122)]
    [InlineData(69)]
    [InlineData(unchecked((int)0x80070070))]
    public void The_codes_of_each_system_for_a_full_disk_and_a_quota_are_known(int code) =>
        Assert.True(MappedFile.IsOutOfSpace(new IOException("full", code)));

    [LinuxFact]
    public void A_file_that_cannot_be_looked_at_is_not_taken_for_deleted()
    {
        var folder = Path.Combine(_directory, "folder");
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, "file");
        MappedFile.Create(path, 4096, FilePermissions.OfUser, "creating");
        using var mapped = MappedFile.Open(path);
        Directory.Move(folder, folder + "-aside");

        // A link to itself: the system finds neither the file nor its absence.
        Directory.CreateSymbolicLink(folder, folder);
        Assert.Null(mapped.FindLoss());

        File.Delete(folder);
        Assert.Equal(MappedFile.Deleted, mapped.FindLoss());
    }

    [LinuxFact]
    public void A_file_that_cannot_be_opened_is_not_taken_for_missing()
    {
        var path = Path.Combine(_directory, "file");
        Assert.Null(MappedFile.LengthOf(path));
        Assert.Null(MappedFile.LengthOf(Path.Combine(path, "file")));

        MappedFile.Create(path, 4096, FilePermissions.OfUser, "creating");
        Assert.Equal(4096, MappedFile.LengthOf(path));

        // A link to itself: the system finds neither the file nor its absence.
        File.Delete(path);
        File.CreateSymbolicLink(path, path);
        Assert.Throws<IOException>(() => MappedFile.LengthOf(path));
    }
}
