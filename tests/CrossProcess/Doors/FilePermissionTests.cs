using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>The files of a queue have the mode and the group of their creator, and another user's folder is refused where every user could have put it.</summary>
[SupportedOSPlatform("linux")]
public sealed partial class FilePermissionTests : IDisposable
{
    private const uint Nobody = 65534;
    private const uint Daemon = 1;
    private const string First = "--reuid=65534 --regid=65534 --groups=1";
    private const string Second = "--reuid=65533 --regid=65533 --groups=1";
    private const string Outsider = "--reuid=65532 --regid=65532 --clear-groups";
    private const UnixFileMode All = (UnixFileMode)0x1FF;

    private readonly QueueDirectory _directory = new();

    private string Private => Path.GetDirectoryName(_directory.Queue)!;

    public void Dispose() => _directory.Dispose();

    [UnixTheory]
    [InlineData(QueueMode.Durable, 0, null, "700 600")]
    [InlineData(QueueMode.Durable, 18, null, "700 600")]
    [InlineData(QueueMode.Bounded, 511, null, "700 600")]
    [InlineData(QueueMode.Durable, 63, "660", "770 660")]
    [InlineData(QueueMode.Bounded, 18, "666", "777 666")]
    [InlineData(QueueMode.Durable, 511, "644", "755 644")]
    public void All_files_have_the_mode_of_the_queue_whatever_the_mask(QueueMode mode, uint mask, string? fileMode, string expected)
    {
        var before = Mask(mask);
        try
        {
            using (var queue = MessageQueue.Open(_directory.Queue, new() { Mode = mode, SegmentBytes = Parts.SegmentBytes, FileMode = fileMode is null ? null : Octal(fileMode) }))
            {
                Use(queue);
            }

            using (var queue = MessageQueue.Open(_directory.Queue))
            {
                Use(queue);
            }
        }
        finally
        {
            _ = Mask(before);
        }

        Assert.Equal(expected.Split(' ').Select(Octal), Modes());
        Assert.Empty(Directory.GetFiles(_directory.Queue, "*.creating", SearchOption.AllDirectories));
    }

    [OtherUserTheory]
    [InlineData("daemon")]
    [InlineData("1")]
    public void All_files_have_the_group_of_the_queue(string group)
    {
        using (var queue = MessageQueue.Open(_directory.Queue, new() { SegmentBytes = Parts.SegmentBytes, FileGroup = group }))
        {
            Use(queue);
        }

        Assert.All(Entries(), static path => Assert.Equal(Daemon, FileIdentity.Of(path)!.Value.Group));
        Assert.Equal([Octal("770"), Octal("660")], Modes());
    }

    [OtherUserTheory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void Two_users_of_a_group_use_each_other_s_segments_and_a_third_user_does_not_even_read(QueueMode mode)
    {
        var queue = Path.Combine(Open(), "queue");
        using var first = Peer.StartAs(First, nameof(DoorParts.ShareQueue), queue, mode.ToString(), "2");
        Assert.Equal("published", first.Hear());
        using var second = Peer.StartAs(Second, nameof(DoorParts.ShareQueue), queue, mode.ToString(), "6");
        Assert.Equal("published", second.Hear());
        first.Tell();
        Assert.Equal("8", first.Hear());
        second.Tell();
        Assert.Equal("11", second.Hear());

        using var third = Peer.StartAs(Outsider, nameof(DoorParts.ShareQueue), queue, mode.ToString(), "1");
        Assert.Equal(nameof(UnauthorizedAccessException), third.Hear());
        Assert.True(mode == QueueMode.Bounded || Directory.GetFiles(queue, "*.segment").Select(path => FileIdentity.Of(path)!.Value.Owner).Distinct().Count() == 2);
    }

    [OtherUserTheory]
    [InlineData("root")]
    [InlineData("no such group")]
    public void A_group_that_cannot_be_given_leaves_no_trace(string group)
    {
        var open = Open();
        using var peer = Peer.StartAs(Second, nameof(DoorParts.OpenForGroup), Path.Combine(open, "queue"), group);

        Assert.Equal(group == "root" ? nameof(UnauthorizedAccessException) : nameof(ArgumentException), peer.Hear());
        Assert.Empty(Directory.GetFileSystemEntries(open));
    }

    [OtherUserTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Root_gives_its_files_to_the_owner_of_the_queue(bool isBounded)
    {
        Allow(Private);
        var folder = Directory.CreateDirectory(Path.Combine(Private, "nobody")).FullName;
        Give(folder);
        using var owner = Peer.StartAs(First, nameof(DoorParts.ShareQueue), Path.Combine(folder, "queue"), (isBounded ? QueueMode.Bounded : QueueMode.Durable).ToString(), "2");
        Assert.Equal("published", owner.Hear());
        using (var queue = MessageQueue.Open(Path.Combine(folder, "queue")))
        using (var producer = queue.OpenProducer())
        {
            for (var i = 0; i < 6; i++)
            {
                producer.Publish(new byte[Parts.FillerBytes]);
            }
        }

        Assert.All(Directory.GetFileSystemEntries(folder, "*", SearchOption.AllDirectories), static path => Assert.Equal(Nobody, FileIdentity.Of(path)!.Value.Owner));
        owner.Tell();
        Assert.Equal("8", owner.Hear());
    }

    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_link_where_every_user_may_put_one_is_refused(bool leadsToFolder)
    {
        var target = Path.Combine(Private, "target");
        Publish(target, fileMode: null);
        var link = Path.Combine(Open(), "queue");
        Directory.CreateSymbolicLink(link, leadsToFolder ? Private : target);

        AssertRefused(leadsToFolder ? Path.Combine(link, "target") : link, "symbolic link");

        // The owner of a folder that no other user may write to has made its links.
        var own = Path.Combine(Private, "link");
        Directory.CreateSymbolicLink(own, target);
        MessageQueue.Open(own).Dispose();
        Directory.CreateSymbolicLink(Path.Combine(Private, "relative"), "../" + Path.GetFileName(Private) + "/open/queue/.");
        AssertRefused(leadsToFolder ? Path.Combine(Private, "relative", "target") : Path.Combine(Private, "relative"), "symbolic link");
    }

    [OtherUserTheory]
    [InlineData("queue")]
    [InlineData("")]
    public void Another_user_s_folder_where_every_user_may_put_one_is_refused(string given)
    {
        var queue = Path.Combine(Open(), "folder", "queue");
        Publish(queue, fileMode: null);
        Give(given.Length > 0 ? queue : Path.GetDirectoryName(queue)!);

        // In the folder of another user its owner decides; in one for all users nobody does.
        if (given.Length > 0)
        {
            MessageQueue.Open(queue).Dispose();
            File.SetUnixFileMode(Path.GetDirectoryName(queue)!, All);
        }

        AssertRefused(queue, "id 65534");
    }

    [OtherUserTheory]
    [InlineData("660", null)]
    [InlineData(null, "daemon")]
    public void Another_user_s_folder_is_accepted_if_the_options_expect_others(string? fileMode, string? group)
    {
        var queue = Path.Combine(Open(), "queue");
        var options = new MessageQueueOptions { FileMode = fileMode is null ? null : Octal(fileMode), FileGroup = group };
        MessageQueue.Open(queue, options).Dispose();
        Give(queue);

        AssertRefused(queue, "id 65534", isEmpty: true);
        using var opened = MessageQueue.Open(queue, options);
        opened.OpenProducer().Dispose();
    }

    [OtherUserTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_folder_that_lies_in_wait_in_shared_memory_is_refused(bool isLink)
    {
        var name = "test-" + Guid.NewGuid().ToString("N");
        var path = MessageQueue.GetSharedPath(name);
        try
        {
            if (isLink)
            {
                Directory.CreateSymbolicLink(path, Private);
            }
            else
            {
                Directory.CreateDirectory(path, All);
                Give(path);
            }

            Assert.Throws<UnauthorizedAccessException>(() => MessageQueue.OpenShared(name));
            Assert.Empty(Directory.GetFileSystemEntries(path));
        }
        finally
        {
            Directory.Delete(path);
        }
    }

    private static void AssertRefused(string path, string reason, bool isEmpty = false)
    {
        var refusal = Assert.Throws<UnauthorizedAccessException>(() => MessageQueue.Open(path));
        Assert.Contains(reason, refusal.Message, StringComparison.Ordinal);

        using var queue = MessageQueue.OpenExisting(path);
        using var reader = queue.OpenReader<RawMessage>();
        Assert.Equal(!isEmpty, reader.TryRead(out _));
        Assert.Throws<UnauthorizedAccessException>(() => queue.OpenProducer().Dispose());
        Assert.Throws<UnauthorizedAccessException>(() => queue.OpenConsumer<RawMessage>("any").Dispose());
    }

    private static void Publish(string path, UnixFileMode? fileMode)
    {
        using var queue = MessageQueue.Open(path, new() { FileMode = fileMode });
        using var producer = queue.OpenProducer();
        producer.Publish("message"u8);
    }

    private static void Use(MessageQueue queue)
    {
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var producer = queue.OpenProducer();
        for (var i = 0; i < 2 * Parts.SegmentFillers; i++)
        {
            producer.Publish(new byte[Parts.FillerBytes]);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
            Assert.True(member.TryRead(out delivery));
            delivery.Commit();
        }
    }

    private static UnixFileMode Octal(string text) => (UnixFileMode)Convert.ToInt32(text, 8);

    private static void Give(string path) => Assert.True(UnixUser.TryChangeOwner(path, Nobody, UnixUser.Unchanged));

    private static void Allow(string folder) => File.SetUnixFileMode(folder, File.GetUnixFileMode(folder) | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);

    [LibraryImport("libc", EntryPoint = "umask")]
    private static partial uint Mask(uint mask);

    // As the temporary folder of a machine is.
    private string Open()
    {
        Allow(Private);
        var open = Directory.CreateDirectory(Path.Combine(Private, "open")).FullName;
        File.SetUnixFileMode(open, All | UnixFileMode.StickyBit);
        return open;
    }

    private IEnumerable<string> Entries() => Directory.GetFileSystemEntries(_directory.Queue, "*", SearchOption.AllDirectories).Append(_directory.Queue);

    private IEnumerable<UnixFileMode> Modes() =>
        Entries().GroupBy(Directory.Exists).OrderBy(static kind => !kind.Key).Select(static kind => Assert.Single(kind.Select(File.GetUnixFileMode).Distinct()));
}
