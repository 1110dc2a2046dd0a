using System.Runtime.Versioning;
using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What the options say about permissions, and what an existing queue has. tests/CrossProcess has several users and masks.</summary>
[SupportedOSPlatform("linux")]
public sealed class PermissionTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode ForAllToRead = OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    private const UnixFileMode FolderForAllToRead = ForAllToRead | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    private readonly string _folder = Directory.CreateTempSubdirectory("bmq-").FullName;

    private string Queue => Path.Combine(_folder, "queue");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinuxFact]
    public void What_recovery_keeps_has_the_mode_of_the_queue()
    {
        using var directory = new QueueDirectory(QueueMode.Durable, ProducerMode.Multiple);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("lost"u8);
        }

        File.SetUnixFileMode(directory.ControlFile, ForAllToRead);
        MachineCrash.Restart(directory);
        QueueDirectory.Damage(directory.SegmentFile(0), 0, new byte[1]);
        using (var queue = directory.Open())
        {
            Assert.NotNull(queue.Recovery?.LostAndFound);
        }

        var kept = Path.Combine(directory.Path, "lost+found");
        Assert.NotEmpty(Directory.GetFiles(kept, "*", SearchOption.AllDirectories));
        Assert.All(Directory.GetFiles(kept, "*", SearchOption.AllDirectories), static file => Assert.Equal(ForAllToRead, File.GetUnixFileMode(file)));
        Assert.All(Directory.GetDirectories(kept, "*", SearchOption.AllDirectories).Append(kept), static folder => Assert.Equal(FolderForAllToRead, File.GetUnixFileMode(folder)));
    }

    [LinuxFact]
    public void A_queue_that_exists_keeps_its_mode_and_another_one_is_refused()
    {
        MessageQueue.Open(Queue, new() { FileMode = ForAllToRead }).Dispose();
        MessageQueue.Open(Queue).Dispose();
        MessageQueue.Open(Queue, new() { FileMode = ForAllToRead }).Dispose();

        var refusal = Assert.Throws<ArgumentException>(() => MessageQueue.Open(Queue, new() { FileMode = OwnerOnly }));
        Assert.Contains("FileMode 0644, not 0600", refusal.Message, StringComparison.Ordinal);

        // Root may give files to any group.
        if (Environment.UserName == "root")
        {
            refusal = Assert.Throws<ArgumentException>(() => MessageQueue.Open(Queue, new() { FileGroup = "1" }));
            Assert.Contains("the group 0, not 1", refusal.Message, StringComparison.Ordinal);
        }
    }

    [LinuxFact]
    public void A_folder_that_is_there_keeps_its_mode_unless_it_is_empty_and_meant_for_others()
    {
        var used = Folder("used", FolderForAllToRead);
        File.WriteAllText(Path.Combine(used, "other"), "");
        var empty = Folder("empty", FolderForAllToRead);
        var unfinished = Folder("queue", OwnerOnly | UnixFileMode.UserExecute);

        MessageQueue.Open(used, new() { FileMode = OwnerOnly | UnixFileMode.GroupRead }).Dispose();
        MessageQueue.Open(empty).Dispose();
        MessageQueue.Open(unfinished, new() { FileMode = ForAllToRead }).Dispose();

        Assert.Equal(FolderForAllToRead, File.GetUnixFileMode(used));
        Assert.Equal(FolderForAllToRead, File.GetUnixFileMode(empty));
        Assert.Equal(FolderForAllToRead, File.GetUnixFileMode(unfinished));
        Assert.Equal(OwnerOnly, File.GetUnixFileMode(Path.Combine(empty, "control")));
    }

    [LinuxFact]
    public void Modes_and_groups_that_cannot_be_are_refused_before_any_file_is_made()
    {
        AssertRefused("FileMode", "the owner must be able to read and write", new() { FileMode = UnixFileMode.UserRead });
        AssertRefused("FileMode", "no user may execute", new() { FileMode = OwnerOnly | UnixFileMode.OtherExecute });
        AssertRefused("FileGroup", "gives the group '0' no permission", new() { FileMode = OwnerOnly, FileGroup = "0" });
        AssertRefused("FileGroup", "Group 'no such group' does not exist", new() { FileGroup = "no such group" });
        AssertRefused("FileGroup", "Group '' does not exist", new() { FileGroup = "" });
        AssertRefused("FileGroup", "Group '4294967295' does not exist", new() { FileGroup = "4294967295" });
        Assert.False(Directory.Exists(Queue));
    }

    [LinuxFact]
    public async Task Leases_that_are_made_at_the_same_time_are_one_file()
    {
        for (var round = 0; round < 50; round++)
        {
            var path = Path.Combine(_folder, $"{round}");
            using var start = new Barrier(4);
            var leases = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    return FileLease.TryAcquire(path, FilePermissions.OfUser);
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default)));

            Assert.Single(leases, static lease => lease is not null);
            Array.ForEach(leases, static lease => lease?.Dispose());
            Assert.Equal(OwnerOnly, File.GetUnixFileMode(path));
        }

        Assert.Equal(50, Directory.GetFiles(_folder).Length);
    }

    // Whatever the mask is.
    private string Folder(string name, UnixFileMode mode)
    {
        var path = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        File.SetUnixFileMode(path, mode);
        return path;
    }

    private void AssertRefused(string option, string reason, MessageQueueOptions options) =>
        Assert.Contains(reason, Assert.Throws<ArgumentException>(option, () => MessageQueue.Open(Queue, options)).Message, StringComparison.Ordinal);
}
