using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

/// <summary>The queues of a shared cache while other processes change or delete their files.</summary>
public sealed class SharedQueueTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly CacheExpiry Hour = CacheExpiry.After(TimeSpan.FromHours(1));

    private readonly CacheDirectory _directory = new();

    private string Sharing => Path.Combine(_directory, "sharing");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_change_whose_bytes_are_damaged_on_its_way_is_made_as_it_was_sent()
    {
        using var clock = new HeldClock();
        using var owner = _directory.Open<string>(Options(clock));
        using var other = _directory.Open<string>(Options(TimeProvider.System));
        var value = Values.Of(7, 1_000);
        try
        {
            var first = other.SetAsync("first", new byte[] { 1 }, Hour).AsTask();
            clock.AwaitHeld();
            var second = other.SetAsync("second", value, Hour).AsTask();
            Assert.True(SpinWait.SpinUntil(() => TryDamage("changes-*", value), Generous), "The change is not in the queue.");
            clock.Release();

            await first.WaitAsync(Generous);
            await second.WaitAsync(Generous);
        }
        finally
        {
            clock.Release();
        }

        Assert.Equal(value, owner.Read("second")!);
    }

    // The process that asks may be faster, so changes are made until an answer was damaged.
    [Fact]
    public async Task A_change_whose_answer_is_damaged_is_made_again_and_confirmed()
    {
        using var owner = _directory.Open<int>(Options(TimeProvider.System));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        using var stop = new CancellationTokenSource();
        other.Set(0, "first"u8);
        var lines = new HashSet<string>(Directory.GetDirectories(Sharing, "answers-*"));
        var spoiler = Task.Run(() => SpoilAnswers(stop.Token));
        var changes = Task.Run(() =>
        {
            for (var i = 1; lines.Count < 3; i++)
            {
                other.Set(i % 50, Values.Of(i, 100));
                Assert.Equal(Values.Of(i, 100), owner.Read(i % 50)!);
                lines.UnionWith(Directory.GetDirectories(Sharing, "answers-*"));
            }
        });

        await changes.WaitAsync(Generous);
        await stop.CancelAsync();
        await spoiler;
    }

    [Fact]
    public void Answers_for_which_the_queue_of_a_slow_process_has_no_room_wait_for_it()
    {
        const int Count = 20_000;
        Directory.CreateDirectory(Sharing);
        var name = Guid.NewGuid();
        using var queue = MessageQueue.Open(SharingFiles.Answers(_directory, name), SharingFiles.AnswersOptions(FilePermissions.OfUser));
        using var consumer = queue.OpenConsumer<RawMessage>("asker", new ConsumerOptions { Start = QueueStart.Earliest });
        using var lines = new AnswerLines(_directory, FilePermissions.OfUser);
        for (var number = 0; number < Count; number++)
        {
            lines.Answer(name, new ChangeAnswer { Number = number, Outcome = ChangeOutcome.Done });
        }

        var read = Read(consumer, 0);
        Assert.InRange(read, 1, Count - 1);
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                lines.SendWaiting();
                read = Read(consumer, read);
                return read == Count;
            },
            Generous));
    }

    // The process that asks has opened the queue before, and does not read the bytes again that the owner misses.
    [LinuxFact]
    public async Task A_change_whose_queue_of_answers_cannot_be_opened_by_the_owner_is_made_again_and_confirmed()
    {
        using var clock = new HeldClock();
        using var owner = _directory.Open<string>(Options(clock));
        using var other = _directory.Open<string>(Options(TimeProvider.System));
        try
        {
            var change = other.SetAsync("key", new byte[] { 1 }, Hour).AsTask();
            clock.AwaitHeld();
            using (var control = new FileStream(Path.Combine(Assert.Single(Directory.GetDirectories(Sharing, "answers-*")), "control"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
            {
                control.Write(new byte[4]);
            }

            clock.Release();
            await change.WaitAsync(Generous);
        }
        finally
        {
            clock.Release();
        }

        Assert.Equal([(byte)1], owner.Read("key")!);
    }

    // An owner takes the lease of a process whose file it sees before that is locked, and deletes it.
    [Fact]
    public async Task The_lease_of_answers_is_held_though_an_owner_deletes_those_of_dead_processes_at_the_same_time()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        var control = CacheControl.Open(_directory, FileAccess.Read);
        Assert.True(SpinWait.SpinUntil(() => SharingFiles.ReadOwner(_directory).IsKnown, Generous));
        using var stop = new CancellationTokenSource();
        var deletions = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                foreach (var lease in Directory.GetFiles(Sharing, "answers-*.lease"))
                {
                    SharingFiles.TryDeleteAnswers(lease, FilePermissions.OfUser);
                }
            }
        });

        var opened = 0;
        for (var attempts = 0; opened < 40; attempts++)
        {
            Assert.True(attempts < 20_000, $"The line to the owner was opened {opened} times.");
            var before = Directory.GetDirectories(Sharing, "answers-*");
            using var line = OwnerLine.TryOpen(control);
            if (line is not null)
            {
                opened++;
                var answers = Assert.Single(Directory.GetDirectories(Sharing, "answers-*").Except(before));
                using var second = FileLease.TryAcquire(answers + ".lease", FilePermissions.OfUser);
                Assert.Null(second);
            }
        }

        await stop.CancelAsync();
        await deletions;
    }

    [Fact]
    public async Task Changes_are_made_again_after_the_folder_of_the_queues_was_deleted()
    {
        using var owner = _directory.Open<int>(Options(TimeProvider.System));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        other.Set(1, "value"u8);

        // In one step: the owner makes the note again as soon as it is missing, and a folder with a new file cannot be deleted.
        Directory.Move(Sharing, Sharing + "-moved");
        Directory.Delete(Sharing + "-moved", recursive: true);

        await Task.Run(() => other.Set(2, "value"u8)).WaitAsync(Generous);
        Assert.Equal("value"u8.ToArray(), owner.Read(2)!);
    }

    [Fact]
    public async Task An_owner_that_cannot_make_its_queue_is_an_exception_in_the_other_processes()
    {
        using var owner = _directory.Open<int>(Options(TimeProvider.System));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        other.Set(1, "value"u8);

        var moves = 0;
        Assert.True(SpinWait.SpinUntil(() => TryReplaceByFile($"{Sharing}-moved-{moves++}"), Generous));
        var exception = await Assert.ThrowsAsync<IOException>(() => Task.Run(() => other.Set(2, "value"u8)).WaitAsync(Generous));
        Assert.Contains("cannot make its queue", exception.Message, StringComparison.Ordinal);
        Assert.NotNull(owner.GetStatistics().QueueFailure);
        Assert.Equal(5, other.GetOrCreate(3, static _ => 5, new NumberSerializer()));

        // The owner makes the folder anew.
        File.Delete(Sharing);
        Assert.True(SpinWait.SpinUntil(() => owner.GetStatistics().QueueFailure is null, Generous));
        await Task.Run(() => other.Set(2, "value"u8)).WaitAsync(Generous);
        Assert.Equal("value"u8.ToArray(), owner.Read(2)!);
    }

    [Fact]
    public void A_failure_that_damage_has_noted_for_the_owner_is_taken_back()
    {
        using var owner = _directory.Open<int>(Options(TimeProvider.System));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        other.Set(1, "value"u8);
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        control.Header.QueueFailure = 5;

        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref control.Header.QueueFailure) == 0, Generous));
        other.Set(1, "later"u8);
        Assert.Equal("later"u8.ToArray(), owner.Read(1)!);
    }

    [Theory]
    [InlineData(2, 0u, "version 2")]
    [InlineData(OwnerNote.KnownVersion, 4u, "0x4")]
    public async Task A_process_asks_no_owner_of_a_newer_program_for_changes(int version, uint features, string reason)
    {
        _directory.Open<int>(Options(TimeProvider.System)).Dispose();
        using var owner = FileLease.TryAcquire(CacheFiles.WriterLease(_directory), FilePermissions.OfUser);
        await File.WriteAllBytesAsync(CacheFiles.Owner(_directory), new OwnerNote(version, features, Guid.NewGuid()).ToBytes());
        using var other = _directory.Open<int>(Options(TimeProvider.System));

        var exception = Assert.ThrowsAny<NotSupportedException>(() => other.Set(1, "value"u8));
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
        Assert.Contains("Update the BufferedMessages.Caching package", exception.Message, StringComparison.Ordinal);
        await Assert.ThrowsAnyAsync<NotSupportedException>(() => other.SetAsync(1, new byte[] { 1 }, Hour).AsTask());
        Assert.Equal(5, other.GetOrCreate(2, static _ => 5, new NumberSerializer()));
        Assert.Equal(1, other.GetStatistics().NotKept);

        owner!.Dispose();
        Assert.True(SpinWait.SpinUntil(() => SharingFiles.ReadOwner(_directory).IsKnown, Generous));
        other.Set(1, "value"u8);
        Assert.Equal("value"u8.ToArray(), other.Read(1)!);
    }

    [Fact]
    public async Task A_change_that_waits_without_a_thread_ends_when_the_owner_can_make_no_queue_for_an_answer()
    {
        using var clock = new HeldClock();
        using var owner = _directory.Open<int>(Options(clock));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        var control = CacheControl.Open(_directory, FileAccess.ReadWrite);
        try
        {
            var change = other.SetAsync(1, new byte[] { 1 }, Hour).AsTask();
            clock.AwaitHeld();
            NoteFailure(control, ControlHeader.NoRoom);

            await Assert.ThrowsAsync<DiskFullException>(() => change.WaitAsync(Generous));
        }
        finally
        {
            NoteFailure(control, 0);
            clock.Release();
        }
    }

    [LinuxFact]
    public async Task An_owner_that_cannot_look_at_its_files_for_a_moment_makes_changes_again_after_it()
    {
        using var owner = _directory.Open<int>(Options(TimeProvider.System));
        using var other = _directory.Open<int>(Options(TimeProvider.System));
        other.Set(1, "value"u8);
        using (new HiddenPath(_directory))
        {
            Assert.True(SpinWait.SpinUntil(() => owner.GetStatistics().QueueFailure is not null, Generous));
        }

        Assert.True(SpinWait.SpinUntil(() => owner.GetStatistics().QueueFailure is null, Generous));
        await Task.Run(() => other.Set(2, "value"u8)).WaitAsync(Generous);
        Assert.Equal("value"u8.ToArray(), owner.Read(2)!);
    }

    // Puts a file in the place of the folder. False if the owner has made the folder anew before the file was there.
    private bool TryReplaceByFile(string moved)
    {
        try
        {
            Directory.Move(Sharing, moved);
            File.WriteAllText(Sharing, "");
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // As an owner does.
    private static void NoteFailure(CacheControl control, int failure) => Volatile.Write(ref control.Header.QueueFailure, failure);

    private static int Read(MessageConsumer<RawMessage> consumer, int next)
    {
        while (consumer.TryRead(out var delivery, TimeSpan.Zero))
        {
            using (delivery)
            {
                Assert.True(ChangeAnswer.TryRead(delivery.Message.Bytes, out var answer));
                Assert.Equal(next++, answer.Number);
                delivery.Commit();
            }
        }

        return next;
    }

    private static MessageCacheOptions Options(TimeProvider clock) =>
        CacheDirectory.SmallWith(options => (options.Shared, options.TimeProvider, options.SegmentTimeout) = (true, clock, TimeSpan.FromMinutes(2)));

    // Changes a byte in the middle of a value in a queue.
    private bool TryDamage(string queues, byte[] value)
    {
        foreach (var path in Directory.GetDirectories(Sharing, queues).SelectMany(Directory.GetFiles))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            var bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            if (bytes.AsSpan().IndexOf(value) is var at and >= 0)
            {
                file.Position = at + 500;
                file.WriteByte((byte)~value[500]);
                return true;
            }
        }

        return false;
    }

    // Changes a byte of what has been added to the files of answers since the last look.
    private void SpoilAnswers(CancellationToken stop)
    {
        var random = new Random(1);
        var known = new Dictionary<string, byte[]>();
        while (!stop.IsCancellationRequested)
        {
            foreach (var path in Files().ToList())
            {
                Spoil(path, known, random);
            }
        }
    }

    private IEnumerable<string> Files() => Directory.GetDirectories(Sharing, "answers-*").SelectMany(static folder =>
    {
        try
        {
            return Directory.GetFiles(folder, "ring");
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
    });

    private static void Spoil(string path, Dictionary<string, byte[]> known, Random random)
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            for (var looks = 0; looks < 1_000; looks++)
            {
                var bytes = new byte[file.Length];
                file.Position = 0;
                file.ReadExactly(bytes);
                if (known.TryGetValue(path, out var before) && before.AsSpan().CommonPrefixLength(bytes) is var at && at < bytes.Length)
                {
                    SpoilPayload(file, bytes, at & -RecordWord.Alignment, random);
                }

                known[path] = bytes;
            }
        }
        catch (IOException)
        {
            // The queue was deleted.
        }
    }

    private static void SpoilPayload(FileStream file, byte[] bytes, int record, Random random)
    {
        if (RecordWord.IsReadable(BitConverter.ToUInt64(bytes, record)))
        {
            var at = record + RecordWord.HeaderBytes + random.Next(Unsafe.SizeOf<ChangeAnswer>());
            file.Position = at;
            file.WriteByte((byte)~bytes[at]);
        }
    }
}
