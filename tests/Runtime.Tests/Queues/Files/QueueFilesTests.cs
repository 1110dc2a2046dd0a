namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Finding, opening and deleting queues by their paths.</summary>
public sealed class QueueFilesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("bmq-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void A_queue_that_exists_is_found_opened_and_deleted(QueueMode mode)
    {
        var path = Path.Combine(_folder, "orders");
        Assert.False(MessageQueue.Exists(path));
        Create(path, mode);

        Assert.True(MessageQueue.Exists(path));
        using (var queue = MessageQueue.OpenExisting(path))
        {
            Assert.Equal(mode, queue.Mode);
            Assert.Equal(path, queue.Path);
            using var consumer = queue.OpenConsumer<RawMessage>("risk");
            Assert.Equal([0, 1, 2], Payload.ReadNumbers(consumer));
        }

        Assert.True(MessageQueue.Delete(path));
        Assert.False(MessageQueue.Exists(path));
        Assert.False(Directory.Exists(path));
        Assert.False(MessageQueue.Delete(path));
    }

    [Fact]
    public void Opening_what_does_not_exist_creates_nothing_and_says_so()
    {
        var path = Path.Combine(_folder, "odrers");

        var exception = Assert.Throws<FileNotFoundException>(() => MessageQueue.OpenExisting(path));

        Assert.Contains($"No queue was found in '{path}'", exception.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(path));
    }

    [Fact]
    public void A_folder_lists_its_queues_and_nothing_else()
    {
        Create(Path.Combine(_folder, "b"), QueueMode.Durable);
        Create(Path.Combine(_folder, "a"), QueueMode.Bounded);
        Create(Path.Combine(_folder, ".hidden"), QueueMode.Durable);
        Directory.CreateDirectory(Path.Combine(_folder, "c"));
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, "d")).FullName, "control"), "no queue");

        Assert.Equal([Path.Combine(_folder, ".hidden"), Path.Combine(_folder, "a"), Path.Combine(_folder, "b")], MessageQueue.List(_folder));
        Assert.Equal([Path.Combine(_folder, "a")], MessageQueue.List(Path.Combine(_folder, "a")));
        Assert.Throws<DirectoryNotFoundException>(() => MessageQueue.List(Path.Combine(_folder, "e")));
    }

    [Fact]
    public void A_queue_in_use_is_not_deleted()
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);
        using var queue = MessageQueue.OpenExisting(path);
        using (var producer = queue.OpenProducer())
        {
            var exception = Assert.Throws<QueueInUseException>(() => MessageQueue.Delete(path));
            Assert.Equal(Environment.ProcessId, exception.ProcessId);
            Assert.Equal(3, Payload.PublishNumbers(producer, 3, 3).Length);
        }

        Assert.True(MessageQueue.Delete(path));
    }

    [Theory]
    [InlineData(QueueFormat.ControlVersionOffset, 99)]
    [InlineData(8, 9)]
    public void A_queue_in_use_is_not_deleted_if_its_control_file_does_not_say_by_which_process(int offset, byte value)
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);
        using var queue = MessageQueue.OpenExisting(path);
        using var producer = queue.OpenProducer();
        QueueDirectory.Damage(Path.Combine(path, "control"), offset, value);

        Assert.Equal(0, Assert.Throws<QueueInUseException>(() => MessageQueue.Delete(path)).ProcessId);
        Assert.NotEmpty(Directory.GetFiles(path, "*.segment"));
    }

    [Fact]
    public void A_queue_that_is_made_anew_while_the_one_before_is_deleted_keeps_all_its_files()
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);
        for (var i = 0; i < 10_000; i++)
        {
            // The more files there are, the longer the deletion takes.
            File.WriteAllBytes(Path.Combine(path, "leases", $"{i}.creating"), []);
        }

        var deleting = new Background(() => Assert.True(MessageQueue.Delete(path)));
        Assert.True(SpinWait.SpinUntil(() => !MessageQueue.Exists(path), TimeSpan.FromSeconds(30)));
        Create(path, QueueMode.Durable);
        deleting.Join();

        using var queue = MessageQueue.OpenExisting(path);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([0, 1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Of_threads_that_delete_a_queue_at_once_one_deletes_it_and_the_others_find_none()
    {
        const int Deleters = 4;
        var path = Path.Combine(_folder, "orders");
        for (var round = 0; round < 50; round++)
        {
            Create(path, QueueMode.Durable);
            var deletions = 0;
            using var start = new Barrier(Deleters);
            var deleters = Enumerable.Range(0, Deleters).Select(_ => new Background(() =>
            {
                start.SignalAndWait();
                Interlocked.Add(ref deletions, MessageQueue.Delete(path) ? 1 : 0);
            })).ToList();
            deleters.ForEach(static deleter => deleter.Join());

            Assert.Equal(1, deletions);
            Assert.False(MessageQueue.Exists(path));
        }
    }

    [Fact]
    public void Files_of_others_stay_when_a_queue_is_deleted()
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);
        var note = Path.Combine(path, "note.txt");
        File.WriteAllText(note, "keep");

        Assert.True(MessageQueue.Delete(path));

        Assert.Equal([note], Directory.GetFileSystemEntries(path));
    }

    [Fact]
    public void A_queue_that_is_made_anew_at_the_same_path_has_another_id()
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);
        Guid first;
        using (var queue = MessageQueue.OpenExisting(path))
        {
            first = queue.Id;
        }

        using (var queue = MessageQueue.OpenExisting(path))
        {
            Assert.Equal(first, queue.Id);
        }

        MessageQueue.Delete(path);
        Create(path, QueueMode.Durable);
        using var again = MessageQueue.OpenExisting(path);
        Assert.NotEqual(first, again.Id);
    }

    [Fact]
    public void A_separator_at_the_end_of_a_path_does_not_make_another_queue()
    {
        var path = Path.Combine(_folder, "orders");
        Create(path, QueueMode.Durable);

        using var queue = MessageQueue.OpenExisting(path + Path.DirectorySeparatorChar);

        Assert.Equal(path, queue.Path);
        Assert.Equal([path], MessageQueue.List(path + Path.DirectorySeparatorChar));
    }

    private static void Create(string path, QueueMode mode)
    {
        using var queue = MessageQueue.Open(path, new MessageQueueOptions { Mode = mode, SegmentBytes = QueueDirectory.SmallSegment });
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
    }
}
