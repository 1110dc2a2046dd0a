using System.Buffers;
using BufferedMessages.Segments;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching.Tests;

public sealed class SharedCacheTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Each_sees_what_the_other_has_changed()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);

        for (var i = 0; i < 300; i++)
        {
            other.Set(i, Values.Of(i, 500));
            Assert.Equal(Values.Of(i, 500), owner.Read(i)!);
            owner.Set(i, Values.Of(i + 1, 500));
            Assert.Equal(Values.Of(i + 1, 500), other.Read(i)!);
        }

        Assert.True(other.Remove(5));
        Assert.False(other.Remove(5));
        Assert.Null(owner.Read(5));
        other.Clear();
        Assert.Equal(0, owner.Count);
        Assert.False(other.IsReadOnly);
        Assert.Equal(300, other.GetStatistics().Sets);
    }

    [Fact]
    public void All_kinds_of_values_are_set_by_the_owner()
    {
        using var owner = _directory.Open<string>(SharedWith(static options => options.SegmentBytes = 1024 * 1024));
        using var other = _directory.Open<string>(SharedWith(static _ => { }));
        var large = Values.Of(3, 500_000);
        var pieces = new System.Buffers.ReadOnlySequence<byte>(large);

        other.Set("large", large);
        other.Set("message", new Order { Id = 7 });
        other.Set("pieces", pieces);
        other.SetMany([new("a", new byte[] { 1 }), new("b", new byte[] { 2 })]);
        other.Set("number", 5, new NumberSerializer());

        Assert.Equal(large, owner.Read("large")!);
        Assert.Equal(large, other.Read("pieces")!);
        Assert.True(other.TryGet<OrderBufferedMessage, int>("message", static view => (int)view.Id, out var id));
        Assert.Equal(7, id);
        Assert.Equal([1], owner.Read("a")!);
        Assert.Equal([2], other.Read("b")!);
        Assert.True(owner.TryGet("number", new NumberSerializer(), out var number));
        Assert.Equal(5, number);
        Assert.Empty(Directory.GetFiles(Path.Combine(_directory, "sharing"), "content-*"));
    }

    [Fact]
    public void A_key_that_is_longer_than_a_message_is_one_in_each_process()
    {
        using var owner = _directory.Open<string>(SharedWith(static options => { options.SegmentBytes = 4 * 1024 * 1024; options.DiskBytes = 64 * 1024 * 1024; }));
        using var other = _directory.Open<string>(SharedWith(static options => options.DiskBytes = 64 * 1024 * 1024));
        var key = new string('k', 2_000_000);

        other.Set(key, "value"u8, CacheExpiry.Never with { Tags = ["tag"] });
        Assert.Equal("value"u8.ToArray(), owner.Read(key)!);
        Assert.True(other.Touch(key, CacheExpiry.After(TimeSpan.FromHours(1))));
        Assert.True(other.Remove(key));

        Assert.Null(owner.Read(key));
        Assert.False(other.Remove(key));
        Assert.Empty(Directory.GetFiles(Path.Combine(_directory, "sharing"), "content-*"));
    }

    [Fact]
    public void Expiry_is_that_of_the_process_that_sets()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharedWith(static options => options.DefaultExpiry = CacheExpiry.After(TimeSpan.FromHours(1))));
        other.Set(1, "a"u8);
        other.Set(2, "b"u8, CacheExpiry.Never);
        other.Set(3, "c"u8, CacheExpiry.Sliding(TimeSpan.FromHours(2)));

        Assert.InRange(ExpiryOf(owner, 1)!.Value - DateTimeOffset.UtcNow, TimeSpan.FromMinutes(50), TimeSpan.FromMinutes(61));
        Assert.Null(ExpiryOf(owner, 2));
        Assert.InRange(ExpiryOf(owner, 3)!.Value - DateTimeOffset.UtcNow, TimeSpan.FromMinutes(110), TimeSpan.FromMinutes(121));
        Assert.True(other.Touch(1, CacheExpiry.Never));
        Assert.Null(ExpiryOf(owner, 1));
        Assert.False(other.Touch(9));
        Assert.Throws<ArgumentException>(() => other.Touch(1, CacheExpiry.Sliding(TimeSpan.FromHours(1))));
    }

    [Fact]
    public void A_set_whose_time_has_passed_by_the_clock_of_the_owner_takes_the_earlier_value()
    {
        var clock = new ManualClock();
        var later = new ManualClock { Now = clock.Now.AddMinutes(10) };
        var numbers = new NumberSerializer();
        var failSafe = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromHours(1) };
        using var owner = _directory.Open<int>(SharedWith(options => options.TimeProvider = later));
        using var other = _directory.Open<int>(SharedWith(options => options.TimeProvider = clock));
        owner.Set(1, "earlier"u8);
        owner.Set(2, "earlier"u8);

        other.Set(1, "over"u8, CacheExpiry.After(TimeSpan.FromMinutes(1)));
        other.Set(2, "over"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(20), TimeSpan.FromMinutes(1)));
        other.Set(3, "used now"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(5)));
        other.Set(4, 5, numbers, failSafe);

        Assert.All(new[] { owner, other }, static cache => Assert.True(cache.Read(1) is null && cache.Read(2) is null));
        Assert.Equal("used now"u8.ToArray(), owner.Read(3)!);
        Assert.Equal(5, owner.GetOrCreate(4, static _ => throw new FormatException("failed"), numbers, failSafe));
        Assert.Equal(2, owner.Count);
    }

    // The owner looks at its clock to see whether the time has passed, and must not look again.
    [Fact]
    public void A_touch_whose_time_passes_while_the_owner_makes_it_is_made()
    {
        var clock = new ManualClock();
        using var owner = _directory.Open<int>(SharedWith(options => options.TimeProvider = new HastyClock(clock)));
        using var other = _directory.Open<int>(SharedWith(options => options.TimeProvider = clock));
        owner.Set(1, "value"u8);

        Assert.True(other.Touch(1, CacheExpiry.After(TimeSpan.FromSeconds(3))));
    }

    [Fact]
    public async Task Asynchronous_changes_do_not_block_the_caller_while_the_owner_is_busy()
    {
        using var clock = new HeldClock();
        using var owner = _directory.Open<string>(SharedWith(options => options.TimeProvider = clock));
        using var other = _directory.Open<string>(SharedWith(static _ => { }));
        var distributed = new MessageDistributedCache(other);
        var hour = new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) };
        try
        {
            var first = other.SetAsync("a", new byte[] { 1 }, CacheExpiry.After(TimeSpan.FromHours(1))).AsTask();
            clock.AwaitHeld();
            Task[] changes = [first, distributed.SetAsync("b", [2], hour), distributed.RefreshAsync("c"), distributed.RemoveAsync("d")];
            Assert.All(changes, static change => Assert.False(change.IsCompleted));
            clock.Release();
            await Task.WhenAll(changes);
        }
        finally
        {
            clock.Release();
        }

        Assert.Equal([1], owner.Read("a")!);
        Assert.Equal([2], owner.Read("b")!);
    }

    [Fact]
    public void An_entry_that_is_too_large_is_refused_in_each_process()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);

        var most = Assert.Throws<CacheEntryTooLargeException>(() => owner.Set(1, new byte[CacheDirectory.SegmentBytes])).MaxBytes;
        Assert.Equal(most, Assert.Throws<CacheEntryTooLargeException>(() => other.Set(1, new byte[CacheDirectory.SegmentBytes])).MaxBytes);
        Assert.Equal(most, Assert.Throws<CacheEntryTooLargeException>(() => other.Set(1, new byte[CacheDirectory.SegmentBytes * 2])).MaxBytes);
        other.Set(1, "small"u8);
        Assert.Equal("small"u8.ToArray(), owner.Read(1)!);
    }

    [Fact]
    public async Task A_value_in_pieces_that_is_larger_than_memory_is_refused_before_it_is_joined()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);
        var megabyte = new byte[1024 * 1024];
        var first = new Piece(megabyte);
        var last = Enumerable.Range(1, 4 * 1024).Aggregate(first, (piece, _) => piece.Append(megabyte));
        var value = new ReadOnlySequence<byte>(first, 0, last, megabyte.Length);

        Assert.Equal(value.Length + sizeof(int), Assert.Throws<CacheEntryTooLargeException>(() => other.Set(1, value)).Bytes);
        await Assert.ThrowsAsync<CacheEntryTooLargeException>(async () => await other.SetAsync(1, value));
    }

    [Fact]
    public void A_cache_that_is_not_shared_has_one_process_that_writes()
    {
        using (_directory.Open<int>())
        {
            Assert.Throws<CacheInUseException>(() => _directory.Open<int>(SharingPart.Options).Dispose());
        }

        using var owner = _directory.Open<int>(SharingPart.Options);
        Assert.Throws<CacheInUseException>(() => _directory.Open<int>().Dispose());
    }

    // It could not take over: when the owner leaves, no change would be made any more.
    [Fact]
    public void A_process_whose_options_an_owner_cannot_have_is_refused()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);

        var segments = Assert.Throws<ArgumentException>(() => _directory.Open<int>(SharedWith(static options => options.SegmentBytes = 2 * CacheDirectory.SegmentBytes)).Dispose());
        var budget = Assert.Throws<ArgumentException>(() => _directory.Open<int>(SharedWith(static options => options.DiskBytes = 5 * CacheDirectory.SegmentBytes)).Dispose());

        Assert.Contains("has segments of 65536 bytes, not 131072", segments.Message, StringComparison.Ordinal);
        Assert.Contains("is 5 segments of 65536 bytes", budget.Message, StringComparison.Ordinal);
        using var other = _directory.Open<int>(SharingPart.Options);
        other.Set(1, "value"u8);
        Assert.Equal("value"u8.ToArray(), owner.Read(1)!);
    }

    [Fact]
    public void When_the_owner_closes_the_cache_another_process_sets()
    {
        var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);
        using var third = _directory.Open<int>(SharingPart.Options);
        third.Set(1, Values.Of(1, 500));
        owner.Dispose();

        third.Set(2, Values.Of(2, 500));
        other.Set(3, Values.Of(3, 500));

        foreach (var cache in new[] { other, third })
        {
            Assert.All(Enumerable.Range(1, 3), key => Assert.Equal(Values.Of(key, 500), cache.Read(key)!));
        }

        owner.Dispose();
        Assert.Throws<ObjectDisposedException>(() => owner.Set(1, "late"u8));
    }

    [Fact]
    public void The_queues_of_processes_that_have_left_do_not_stay()
    {
        using (var owner = _directory.Open<int>(SharingPart.Options))
        using (var other = _directory.Open<int>(SharingPart.Options))
        {
            other.Set(1, "value"u8);
        }

        using var next = _directory.Open<int>(SharingPart.Options);
        using var third = _directory.Open<int>(SharingPart.Options);
        third.Set(2, "value"u8);

        Assert.Single(Directory.GetDirectories(Path.Combine(_directory, "sharing"), "answers-*"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_value_is_created_also_if_the_file_of_locks_cannot_be_made(bool isFolder)
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);
        var locks = SharingFiles.Flights(_directory);
        if (isFolder || OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(locks);
        }
        else
        {
            File.CreateSymbolicLink(locks, locks);
        }

        Assert.Equal(1, owner.GetOrCreate(1, static _ => 1, new NumberSerializer()));
        Assert.Equal(2, other.GetOrCreate(2, static _ => 2, new NumberSerializer()));
        Assert.True(owner.TryGet(2, new NumberSerializer(), out _));
    }

    // A creation that waits for another process asks for the lock again and again.
    [LinuxFact]
    public void Closing_a_cache_leaves_no_file_of_locks_open()
    {
        _directory.Open<int>(SharingPart.Options).Dispose();
        var locks = new KeyFlights(_directory, FilePermissions.OfUser);
        locks.Dispose();

        Assert.False(locks.TryEnter(1));
        Assert.False(File.Exists(SharingFiles.Flights(_directory)));
    }

    [Fact]
    public async Task The_owner_deletes_the_large_values_of_dead_processes_alone()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);

        // Before it announces its queue, an owner deletes the values of all processes.
        Assert.True(SpinWait.SpinUntil(() => SharingFiles.ReadOwner(_directory).IsKnown, TimeSpan.FromSeconds(60)));
        var (dead, alive) = (Guid.NewGuid(), Guid.NewGuid());
        using var lease = FileLease.TryAcquire(SharingFiles.AnswersLease(_directory, alive), FilePermissions.OfUser);
        string[] files = [.. new[] { dead, alive }.Select(process => Path.Combine(_directory, "sharing", $"content-{process:N}-{Guid.NewGuid():N}"))];
        Array.ForEach(files, static file => File.WriteAllText(file, "value"));

        var deadline = Environment.TickCount64 + 60_000;
        while (File.Exists(files[0]))
        {
            Assert.True(Environment.TickCount64 < deadline, "The value of the dead process stays.");
            await Task.Delay(10);
        }

        Assert.True(File.Exists(files[1]));
    }

    private static MessageCacheOptions SharedWith(Action<MessageCacheOptions> change) => CacheDirectory.SmallWith(options =>
    {
        options.Shared = true;
        options.SegmentTimeout = TimeSpan.FromMinutes(2);
        options.SegmentBytes = null;
        options.DiskBytes = 16 * 1024 * 1024;
        change(options);
    });

    // Two seconds pass with each look.
    private sealed class HastyClock(ManualClock clock) : TimeProvider
    {
        private int _looks;

        public override DateTimeOffset GetUtcNow() => clock.Now + TimeSpan.FromSeconds(2 * Interlocked.Increment(ref _looks));
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(byte[] bytes) => Memory = bytes;

        public Piece Append(byte[] bytes)
        {
            var next = new Piece(bytes) { RunningIndex = RunningIndex + Memory.Length };
            Next = next;
            return next;
        }
    }

    private static DateTimeOffset? ExpiryOf(MessageCache<int> cache, int key)
    {
        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            return lease.ExpiresAt;
        }
    }
}
