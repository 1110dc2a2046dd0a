using System.Runtime.Versioning;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

[SupportedOSPlatform("linux")]
public sealed class FileIdentityTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("bmq-").FullName;

    private string File1 => Path.Combine(_folder, "1");

    private string File2 => Path.Combine(_folder, "2");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinuxFact]
    public void A_file_is_the_same_by_its_path_and_by_its_handle()
    {
        using var file = File.OpenHandle(File1, FileMode.CreateNew, FileAccess.ReadWrite);
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        File.WriteAllText(File2, "");

        Assert.Equal(FileIdentity.Of(File1), FileIdentity.Of(file));
        Assert.True(FileIdentity.Of(File1)!.Value.IsSameFile(FileIdentity.Of(file)!.Value));
        Assert.False(FileIdentity.Of(File1)!.Value.IsSameFile(FileIdentity.Of(File2)!.Value));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead, FileIdentity.Of(file)!.Value.Mode);
        Assert.False(FileIdentity.Of(file)!.Value.IsLink);
    }

    [LinuxFact]
    public void A_deleted_file_has_no_names_and_a_new_one_at_its_path_is_another_one()
    {
        using var file = File.OpenHandle(File1, FileMode.CreateNew, FileAccess.ReadWrite);
        Assert.Equal(1u, FileIdentity.Of(file)!.Value.Links);
        File.Delete(File1);
        Assert.Null(FileIdentity.Of(File1));
        File.WriteAllText(File1, "");

        Assert.Equal(0u, FileIdentity.Of(file)!.Value.Links);
        Assert.False(FileIdentity.Of(File1)!.Value.IsSameFile(FileIdentity.Of(file)!.Value));
    }

    [LinuxFact]
    public void A_symbolic_link_is_not_followed()
    {
        File.WriteAllText(File1, "");
        File.CreateSymbolicLink(File2, File1);

        Assert.True(FileIdentity.Of(File2)!.Value.IsLink);
        Assert.False(FileIdentity.Of(File1)!.Value.IsSameFile(FileIdentity.Of(File2)!.Value));
    }
}
