using BufferedMessages.Segments;

namespace BufferedMessages.Caching.Tests;

public sealed class LeaseTests : IDisposable
{
    private const int Last = 2_999;
    private const int Far = 400;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_lease_keeps_its_bytes_whatever_happens_to_the_cache()
    {
        var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 1_000));
        Assert.True(cache.TryGet(1, out var lease));

        cache.Set(1, Values.Of(2, 1_000));
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        cache.Remove(1);
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        for (var i = 0; i < 10_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        Assert.True(cache.GetStatistics().Evicted > 5_000);
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        cache.Clear();
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        cache.Dispose();
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        lease.Dispose();
    }

    [Fact]
    public void A_lease_keeps_its_bytes_when_its_cache_is_closed_and_opened_again()
    {
        var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 1_000));
        Assert.True(cache.TryGet(1, out var lease));
        cache.Dispose();

        using var next = _directory.Open<int>();
        for (var i = 0; i < 10_000; i++)
        {
            next.Set(i, Values.Of(i + 7, 1_000));
        }

        Assert.True(next.GetStatistics().Evicted > 5_000);
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        lease.Dispose();
        Assert.DoesNotContain(Enumerable.Range(0, 16), new ReaderProcesses(_directory, FilePermissions.OfUser).Hold);
    }

    [Fact]
    public void Beside_64_readers_a_closed_cache_is_in_use_until_its_last_lease_is_back()
    {
        var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 1_000));
        Assert.True(cache.TryGet(1, out var lease));
        var readers = Enumerable.Range(0, 64).Select(_ => MessageCache.OpenReadOnly<int>(_directory)).ToList();
        cache.Dispose();

        var exception = Assert.Throws<CacheInUseException>(() => _directory.Open<int>());
        Assert.Equal(Environment.ProcessId, exception.ProcessId);
        Assert.Equal(Values.Of(1, 1_000), lease.Value);
        lease.Dispose();
        using var next = _directory.Open<int>();
        Assert.Equal(Values.Of(1, 1_000), next.Read(1)!);
        readers.ForEach(static reader => reader.Dispose());
    }

    [Fact]
    public void Several_leases_are_open_at_the_same_time()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "one"u8);
        cache.Set(2, "two"u8);

        Assert.True(cache.TryGet(1, out var one));
        Assert.True(cache.TryGet(2, out var two));
        Assert.True(cache.TryGet(1, out var again));

        one.Dispose();
        Assert.Equal("two"u8, two.Value);
        Assert.Equal("one"u8, again.Value);
        two.Dispose();
        again.Dispose();
    }

    [Fact]
    public void A_thread_has_as_many_leases_as_it_wants_to_4096()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 100));
        var open = 0;

        Assert.Throws<InvalidOperationException>(TakeAnother);
        Assert.True(open >= 4_096);
        Assert.Equal(Values.Of(1, 100), cache.Read(1)!);

        void TakeAnother()
        {
            Assert.True(cache.TryGet(1, out var lease));
            using (lease)
            {
                open++;
                TakeAnother();
            }
        }
    }

    [Fact]
    public async Task A_set_that_finds_no_free_lease_throws_and_the_cache_can_be_closed()
    {
        // After opening there are no notes, so the set has to read the entry that it replaces.
        var cache = OpenAgain();
        WithoutLease(cache, () => Assert.Throws<InvalidOperationException>(() => cache.Set(Far, "value"u8)));
        await Task.Factory.StartNew(cache.Dispose, TaskCreationOptions.LongRunning).WaitAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public void Whether_an_entry_is_in_memory_is_known_without_a_free_lease()
    {
        using var cache = OpenAgain();

        WithoutLease(cache, () => Assert.False(cache.IsInMemory(Far)));
    }

    [Fact]
    public void Leases_of_hundreds_of_threads_keep_their_bytes()
    {
        const int Threads = 300;
        using var cache = _directory.Open<int>();
        for (var i = 0; i < Threads; i++)
        {
            cache.Set(i, Values.Of(i, 100));
        }

        using var areTaken = new CountdownEvent(Threads);
        using var isChurned = new ManualResetEventSlim();
        var kept = 0;
        var threads = Enumerable.Range(0, Threads).Select(i => new Thread(() =>
        {
            var isHit = cache.TryGet(i, out var lease);
            using (lease)
            {
                areTaken.Signal();
                isChurned.Wait();
                Interlocked.Add(ref kept, isHit && lease.Value.SequenceEqual(Values.Of(i, 100)) ? 1 : 0);
            }
        })
        {
            IsBackground = true,
        }).ToList();
        threads.ForEach(thread => thread.Start());
        areTaken.Wait();
        for (var i = Threads; i < 10_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        isChurned.Set();
        threads.ForEach(thread => thread.Join());
        Assert.True(cache.GetStatistics().Evicted > 5_000);
        Assert.Equal(Threads, kept);
    }

    [Fact]
    public void Disposing_a_lease_twice_or_a_copy_of_it_does_no_harm()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 100));
        Assert.True(cache.TryGet(1, out var first));
        var copy = first;
        first.Dispose();
        Assert.True(cache.TryGet(1, out var second));
        first.Dispose();
        copy.Dispose();

        for (var i = 2; i < 10_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        Assert.Equal(Values.Of(1, 100), second.Value);
        second.Dispose();
    }

    [Fact]
    public void A_disposed_lease_gives_nothing()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "one"u8);
        Assert.True(cache.TryGet(1, out var lease));
        lease.Dispose();

        try
        {
            _ = lease.Value;
            Assert.Fail("The value of a disposed lease was given.");
        }
        catch (ObjectDisposedException)
        {
        }
    }

    [Fact]
    public void An_entry_that_is_kept_while_the_enumeration_goes_on_gives_nothing()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "one"u8);
        cache.Set(2, "two"u8);
        var entries = cache.GetEnumerator();
        Assert.True(entries.MoveNext());
        var kept = entries.Current;
        Assert.True(entries.MoveNext());

        AssertGone(kept);
        Assert.NotEqual(0, entries.Current.Value.Length);
        entries.Dispose();
        AssertGone(kept);
    }

    [Fact]
    public void An_entry_that_leaves_its_loop_gives_nothing()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "one"u8);
        CacheEntry<int> kept = default;
        AssertGone(kept);
        foreach (var entry in cache)
        {
            kept = entry;
        }

        AssertGone(kept);
        cache.Dispose();
        AssertGone(kept);
    }

    [Fact]
    public void Leases_on_all_segments_do_not_stop_sets_for_longer_than_the_timeout()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.SegmentTimeout = TimeSpan.FromSeconds(3)));
        var count = 0;

        void HoldAll()
        {
            cache.Set(count, Values.Of(count, 20_000));
            Assert.True(cache.TryGet(count, out var lease));
            var held = lease;
            count++;
            if (count < 1_000)
            {
                HoldAll();
            }

            Assert.Equal(Values.Of(--count, 20_000), held.Value);
            held.Dispose();
        }

        Assert.Throws<TimeoutException>(HoldAll);
        Assert.True(count >= 16 * 2, $"{count} entries");
        Assert.True(cache.GetStatistics().DiskBytes <= 17 * CacheDirectory.SegmentBytes);
    }

    [Fact]
    public void Without_leases_a_set_waits_for_a_segment_however_short_the_timeout_is()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.SegmentTimeout = TimeSpan.Zero));
        for (var i = 0; i < 5_000; i++)
        {
            cache.Set(i, Values.Of(i, 20_000));
        }

        Assert.True(cache.GetStatistics().Evicted > 0);
    }

    [Fact]
    public void A_cache_is_usable_when_the_leases_that_held_all_segments_are_back()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.SegmentTimeout = TimeSpan.FromSeconds(3)));
        cache.WhileAllIsHeld(static () => { });

        for (var i = 0; i < 1_000; i++)
        {
            cache.Set(i, Values.Of(i, 20_000));
            Assert.Equal(Values.Of(i, 20_000), cache.Read(i)!);
        }

        Assert.True(cache.GetStatistics().DiskBytes <= 17 * CacheDirectory.SegmentBytes);
    }

    [Fact]
    public async Task A_set_that_waits_goes_on_when_the_leases_that_held_all_segments_are_back()
    {
        // Longer than this thread may need to give the leases back.
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(static options => (options.DiskBytes, options.SegmentTimeout) = (6 * CacheDirectory.SegmentBytes, TimeSpan.FromMinutes(2))));

        var (set, key) = HoldUntilSetWaits(cache, 0);

        await set;
        Assert.Equal(Values.Of(key, 50_000), cache.Read(key)!);
    }

    [Fact]
    public void Default_values_hold_no_entry()
    {
        AssertGone(default);
        var walk = default(CacheEnumerator<int>);
        Assert.False(walk.MoveNext());
        AssertGone(walk.Current);
        walk.Dispose();
        Assert.Throws<ObjectDisposedException>(static () => default(CacheLease).Value.Length);
        Assert.Throws<ObjectDisposedException>(static () => default(CacheLease<OrderBufferedMessage>).Message.IsNull);
        default(CacheLease).Dispose();
        default(CacheLease<OrderBufferedMessage>).Dispose();
    }

    // An entry that is far from the last one is not in memory.
    private MessageCache<int> OpenAgain()
    {
        var options = new MessageCacheOptions { SegmentBytes = 1 << 20, DiskBytes = 16 << 20, MemoryBytes = 16 << 20 };
        using (var first = _directory.Open<int>(options))
        {
            for (var i = 0; i <= Last; i++)
            {
                first.Set(i, Values.Of(i, 1_000));
            }
        }

        return _directory.Open<int>(options);
    }

    // Each call sets an entry in another segment and holds it, until a set waits. The leases are back when that set is returned.
    private static (Task Set, int Key) HoldUntilSetWaits(MessageCache<int> cache, int key)
    {
        var set = Task.Factory.StartNew(() => cache.Set(key, Values.Of(key, 50_000)), TaskCreationOptions.LongRunning);
        if (!SpinWait.SpinUntil(() => set.IsCompleted, TimeSpan.FromMilliseconds(750)))
        {
            return (set, key);
        }

        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            var last = HoldUntilSetWaits(cache, key + 1);
            Assert.Equal(Values.Of(key, 50_000), lease.Value);
            return last;
        }
    }

    // Takes all leases, calls the action, and returns them.
    private static void WithoutLease(MessageCache<int> cache, Action action)
    {
        CacheLease lease;
        try
        {
            Assert.True(cache.TryGet(Last, out lease));
        }
        catch (InvalidOperationException)
        {
            action();
            return;
        }

        using (lease)
        {
            WithoutLease(cache, action);
        }
    }

    private static void AssertGone(CacheEntry<int> entry)
    {
        AssertThrows(entry, static entry => _ = entry.Key);
        AssertThrows(entry, static entry => _ = entry.Value.Length);
        AssertThrows(entry, static entry => _ = entry.ExpiresAt);
        AssertThrows(entry, static entry => _ = entry.IsMessage<OrderBufferedMessage>());
        AssertThrows(entry, static entry => _ = entry.GetMessage<OrderBufferedMessage>().IsNull);
    }

    private static void AssertThrows(CacheEntry<int> entry, EntryUse use)
    {
        try
        {
            use(entry);
            Assert.Fail("An entry that was given back gave something.");
        }
        catch (ObjectDisposedException)
        {
        }
    }

    private delegate void EntryUse(CacheEntry<int> entry);
}
