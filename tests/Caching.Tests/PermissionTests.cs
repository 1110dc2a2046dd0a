using System.Runtime.Versioning;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>The files of a cache have the mode and the group of their creator, and another user's folder is refused where every user could have put it.</summary>
[SupportedOSPlatform("linux")]
public sealed class PermissionTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode ForGroup = OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
    private const UnixFileMode All = (UnixFileMode)0x1FF;
    private const uint Nobody = 65534;
    private const uint Daemon = 1;
    private static readonly string[] First = ["setpriv", "--reuid=65534", "--regid=65534", "--groups=1"];
    private static readonly string[] Second = ["setpriv", "--reuid=65533", "--regid=65533", "--groups=1"];
    private static readonly string[] Outsider = ["setpriv", "--reuid=65532", "--regid=65532", "--clear-groups"];

    private readonly CacheDirectory _directory = new();

    private string Private => Path.GetDirectoryName(_directory.Path)!;

    public void Dispose() => _directory.Dispose();

    [LinuxTheory]
    [InlineData("000")]
    [InlineData("022")]
    [InlineData("277")]
    public void All_files_are_the_owner_s_alone_whatever_the_mask(string mask)
    {
        using var writer = ChildProcess.StartBy(["sh", "-c", $"umask {mask}; exec \"$0\" \"$@\""], Parts.Work, _directory);
        Assert.Equal("done", writer.Hear());

        AssertFiles(static (path, isFolder) => Assert.Equal((path, isFolder ? OwnerOnly | UnixFileMode.UserExecute : OwnerOnly), (path, File.GetUnixFileMode(path))));
        string[] kinds = ["cache", "index.*", "*.segment", "*.schema", "writer.lease", "reader-*.pins", "reader-*.lease"];
        Assert.All(kinds, kind => Assert.NotEmpty(Directory.GetFiles(_directory, kind)));
    }

    [RootFact]
    public void Two_users_of_a_group_share_a_cache_and_a_third_user_does_not_even_read()
    {
        var cache = Path.Combine(Open(), "cache");
        using (var first = ChildProcess.StartBy(First, Parts.Share, cache))
        {
            Assert.Equal("1", first.Hear());
            using var reader = ChildProcess.StartBy(Second, Parts.ReadShared, cache);
            Assert.Equal("1", reader.Hear());
        }

        using var second = ChildProcess.StartBy(Second, Parts.Share, cache);
        Assert.Equal("2", second.Hear());
        using var again = ChildProcess.StartBy(First, Parts.ReadShared, cache);
        Assert.Equal("2", again.Hear());
        using var third = ChildProcess.StartBy(Outsider, Parts.ReadShared, cache);
        Assert.Equal(nameof(UnauthorizedAccessException), third.Hear());
        Assert.All(Directory.GetFiles(cache), static path => Assert.Equal((path, Daemon, ForGroup), (path, FileIdentity.Of(path)!.Value.Group, File.GetUnixFileMode(path))));
        Assert.Equal(2, Directory.GetFiles(cache).Select(static path => FileIdentity.Of(path)!.Value.Owner).Distinct().Count());
    }

    [LinuxFact]
    public void A_link_where_every_user_may_put_one_is_refused()
    {
        _directory.Open<int>().Dispose();
        var link = Path.Combine(Open(), "cache");
        Directory.CreateSymbolicLink(link, _directory);

        AssertRefused(link, "symbolic link");
    }

    [RootFact]
    public void Another_user_s_folder_where_every_user_may_put_one_is_refused_unless_others_are_expected()
    {
        var cache = Path.Combine(Open(), "cache");
        var options = CacheDirectory.SmallWith(static options => options.FileMode = ForGroup);
        MessageCache.Open<int>(cache, options).Dispose();
        Assert.True(UnixUser.TryChangeOwner(cache, Nobody, UnixUser.Unchanged));

        AssertRefused(cache, "id 65534");
        using var writer = MessageCache.Open<int>(cache, options);
        using var reader = MessageCache.OpenReadOnly<int>(cache, options);
        writer.Set(1, "value"u8);
        Assert.NotNull(reader.Read(1));
    }

    [LinuxFact]
    public void A_cache_that_exists_keeps_its_mode_and_another_one_is_refused()
    {
        _directory.Open<int>(CacheDirectory.SmallWith(static options => options.FileMode = ForGroup)).Dispose();
        _directory.Open<int>().Dispose();

        var refusal = Assert.Throws<ArgumentException>(() => _directory.Open<int>(CacheDirectory.SmallWith(static options => options.FileMode = OwnerOnly)));
        Assert.Contains("FileMode 0660, not 0600", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("Leave FileMode and FileGroup null", refusal.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => _directory.Open<int>(CacheDirectory.SmallWith(static options => options.FileMode = UnixFileMode.UserRead)));
        Assert.Throws<ArgumentException>(() => _directory.Open<int>(CacheDirectory.SmallWith(static options => options.FileGroup = "no such group")));
        AssertFiles(static (path, isFolder) => Assert.Equal((path, isFolder ? ForGroup | UnixFileMode.UserExecute | UnixFileMode.GroupExecute : ForGroup), (path, File.GetUnixFileMode(path))));
    }

    private static void AssertRefused(string path, string reason)
    {
        var refusal = Assert.Throws<UnauthorizedAccessException>(() => MessageCache.Open<int>(path, CacheDirectory.Small));
        Assert.Contains(reason, refusal.Message, StringComparison.Ordinal);
        Assert.Throws<UnauthorizedAccessException>(() => MessageCache.OpenReadOnly<int>(path, CacheDirectory.Small));
    }

    // As the temporary folder of a machine is.
    private string Open()
    {
        File.SetUnixFileMode(Private, File.GetUnixFileMode(Private) | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);
        var open = Directory.CreateDirectory(Path.Combine(Private, "open")).FullName;
        File.SetUnixFileMode(open, All | UnixFileMode.StickyBit);
        return open;
    }

    // A segment that is being created has another name at first.
    private void AssertFiles(Action<string, bool> assert) =>
        Assert.All(
            Directory.GetFileSystemEntries(_directory).Where(static path => !path.EndsWith(".creating", StringComparison.Ordinal)).Append(_directory),
            path => assert(path, Directory.Exists(path)));
}
