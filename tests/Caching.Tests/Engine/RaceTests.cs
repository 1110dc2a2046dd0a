using System.Collections.Concurrent;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

public sealed class RaceTests : IDisposable
{
    private const int Rounds = 50;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Clear_takes_what_was_set_before_it_and_leaves_what_is_set_after_it()
    {
        using var cache = _directory.Open<int>();
        var clears = 0;
        var sets = 0;
        var faults = new ConcurrentQueue<string>();
        using var stop = new CancellationTokenSource();
        var setters = Enumerable.Range(0, 2).Select(number => Task.Run(() =>
        {
            for (var i = number; !stop.IsCancellationRequested; i += 2)
            {
                var key = i % 1_000;
                Interlocked.Increment(ref sets);
                var before = Volatile.Read(ref clears);
                cache.Set(key, BitConverter.GetBytes(i));
                var seen = cache.Read(key);

                // Odd while the cache is cleared.
                if (before % 2 == 0 && seen is null && Volatile.Read(ref clears) == before)
                {
                    faults.Enqueue($"{key} is gone");
                }
            }
        })).ToArray();

        for (var round = 0; round < Rounds; round++)
        {
            SpinWait.SpinUntil(() => Volatile.Read(ref sets) > round * 100 || Array.Exists(setters, static setter => setter.IsCompleted));
            cache.Set(-1, BitConverter.GetBytes(round));
            Interlocked.Increment(ref clears);
            cache.Clear();
            Interlocked.Increment(ref clears);
            if (cache.Read(-1) is not null)
            {
                faults.Enqueue($"the entry of round {round} is there");
            }
        }

        await stop.CancelAsync();
        await Task.WhenAll(setters);
        Assert.Empty(faults);
        Assert.True(SpinWait.SpinUntil(() => cache.Count == cache.Keys.Count(), TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public async Task The_number_of_entries_stays_while_values_are_replaced_and_carried_over()
    {
        const int Keys = 500;
        const int Looks = 10_000;
        using var cache = _directory.Open<int>();
        for (var i = 0; i < Keys; i++)
        {
            cache.Set(i, Values.Of(i, 100));
        }

        using var stop = new CancellationTokenSource();
        var setter = Task.Run(() =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                cache.Set(i % (Keys / 2), Values.Of(i, 1_000));
            }
        });

        for (var looks = 0; looks < Looks || cache.GetStatistics().Carried < Rounds; looks++)
        {
            Assert.Equal(Keys, cache.Count);
            Assert.False(setter.IsCompleted);
        }

        await stop.CancelAsync();
        await setter;
        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    [Fact]
    public async Task Entries_that_a_clear_took_stay_away_when_the_index_is_rebuilt()
    {
        using (var cache = _directory.Open<int>())
        {
            var sets = 0;
            var setter = Task.Run(() =>
            {
                for (var i = 1; i < 2_000; i++)
                {
                    cache.Set(i % 500, Values.Of(i, 100));
                    Volatile.Write(ref sets, i);
                }
            });
            for (var round = 1; !setter.IsCompleted; round++)
            {
                SpinWait.SpinUntil(() => Volatile.Read(ref sets) > round * 50 || setter.IsCompleted);
                cache.Clear();
            }

            await setter;
            cache.Set(1_000, Values.Of(1, 100));
            cache.Clear();
            cache.Set(1_001, Values.Of(2, 100));
        }

        File.Delete(_directory.FileOf("index.*"));
        using var rebuilt = _directory.Open<int>();

        Assert.Equal([1_001], rebuilt.Keys);
    }

    [Fact]
    public async Task A_touch_is_not_lost_when_its_entry_is_carried_over()
    {
        var clock = new ManualClock();
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        cache.Set(0, Values.Of(0, 100), CacheExpiry.After(TimeSpan.FromMinutes(1)));

        // The entry is carried over only if it was read, and this thread may come to read it late.
        var filler = Task.Run(() =>
        {
            for (var i = 1; i < 20_000 || cache.GetStatistics().Carried == 0; i++)
            {
                cache.Set(i, Values.Of(i, 1_000));
            }
        });

        var lost = 0;
        for (var minutes = 2; !filler.IsCompleted; minutes++)
        {
            // The read keeps the entry in the cache; if this thread was too slow, the entry is set again.
            if (cache.Read(0) is null || !cache.Touch(0, CacheExpiry.After(TimeSpan.FromMinutes(minutes))))
            {
                cache.Set(0, Values.Of(0, 100), CacheExpiry.After(TimeSpan.FromMinutes(1)));
            }
            else if (ExpiresAt(cache, 0) is { } expires && expires != clock.Now + TimeSpan.FromMinutes(minutes))
            {
                lost++;
            }
        }

        await filler;
        Assert.Equal(0, lost);
    }

    [Fact]
    public async Task A_touch_is_not_lost_when_a_read_prolongs_its_entry()
    {
        using var clock = new HeldClock();
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        cache.Set(0, Values.Of(0, 100), CacheExpiry.Sliding(TimeSpan.FromMinutes(1)));
        clock.Now += TimeSpan.FromSeconds(30);

        // The thread has read when the entry expires, and asks for the time.
        var read = Task.Factory.StartNew(() => clock.Hold(() => Assert.NotNull(cache.Read(0))), TaskCreationOptions.LongRunning);
        clock.AwaitHeld();
        Assert.True(cache.Touch(0, CacheExpiry.After(TimeSpan.FromHours(1))));
        clock.Release();
        await read;

        Assert.Equal(clock.Now + TimeSpan.FromHours(1), ExpiresAt(cache, 0));
    }

    [Fact]
    public async Task A_removal_that_has_found_an_expired_entry_says_that_it_removed_the_one_which_was_set_since()
    {
        using var clock = new HeldClock();
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        cache.Set(0, Values.Of(0, 100), CacheExpiry.After(TimeSpan.FromMinutes(1)));
        clock.Now += TimeSpan.FromMinutes(2);

        // The thread has read when the entry expires, and asks for the time.
        var removal = Task.Factory.StartNew(() => clock.Hold(() => Assert.True(cache.Remove(0))), TaskCreationOptions.LongRunning);
        clock.AwaitHeld();
        cache.Set(0, Values.Of(1, 100));
        clock.Release();
        await removal;

        Assert.Null(cache.Read(0));
    }

    [Fact]
    public async Task A_segment_is_not_used_again_before_the_changes_under_way_have_ended()
    {
        const int Held = 0;
        const int Other = 1;
        using var clock = new HeldClock();
        using var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), CacheDirectory.SmallWith(options => (options.TimeProvider, options.SegmentTimeout) = (clock, TimeSpan.Zero)));
        Set(cache, Held, 50_000, CacheExpiry.After(TimeSpan.FromMinutes(1)));
        clock.Now += TimeSpan.FromMinutes(2);

        // The thread has the lock of its key while it compares the time.
        var drop = Task.Factory.StartNew(() => clock.Hold(() => Drop(cache, Held)), TaskCreationOptions.LongRunning);
        clock.AwaitHeld();

        // Its segment has the least garbage, and no entry leads to the others: the recycler meets no entry whose lock it would wait for.
        var sets = Task.Factory.StartNew(() => SetOften(cache, Other), TaskCreationOptions.LongRunning);
        Assert.False(SpinWait.SpinUntil(() => sets.IsCompleted, TimeSpan.FromSeconds(2)));
        clock.Release();
        await drop;
        await sets;
    }

    [Fact]
    public void A_cache_that_is_made_smaller_leaves_a_reader_its_bytes_and_keeps_the_new_budget()
    {
        const int Smaller = 8;
        using (var cache = _directory.Open<int>())
        {
            Fill(cache, 0);
        }

        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        var held = reader.Keys.Min();
        Assert.True(reader.TryGet(held, out var lease));
        using (lease)
        {
            using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.DiskBytes = Smaller * CacheDirectory.SegmentBytes));
            Assert.True(cache.GetStatistics().DiskBytes <= (Smaller + 1) * CacheDirectory.SegmentBytes);
            Fill(cache, 2_000);
            Assert.Equal(Values.Of(held, 1_000), lease.Value);
            Assert.All(reader.Keys.Take(100), key => Assert.Equal(Values.Of(key, 1_000), reader.Read(key) ?? Values.Of(key, 1_000)));
        }

        using var again = _directory.Open<int>(CacheDirectory.SmallWith(options => options.DiskBytes = Smaller * CacheDirectory.SegmentBytes));
        Fill(again, 4_000);
        Assert.InRange(Directory.GetFiles(_directory, "*.segment").Length, 4, Smaller);
        Assert.Equal(Values.Of(5_999, 1_000), reader.Read(5_999)!);
    }

    private static DateTimeOffset? ExpiresAt(MessageCache<int> cache, int key)
    {
        if (!cache.TryGet(key, out var lease))
        {
            return null;
        }

        using (lease)
        {
            return lease.ExpiresAt;
        }
    }

    private static void SetOften(CacheEngine cache, int key)
    {
        for (var i = 0; i < 5_000; i++)
        {
            Set(cache, key, 1_000, CacheExpiry.Never);
        }
    }

    private static void Set(CacheEngine cache, int key, int valueBytes, CacheExpiry expiry)
    {
        var bytes = BitConverter.GetBytes(key);
        var reservation = cache.RequireWriter().Reserve(bytes, XxHash64.Hash(bytes), valueBytes, schema: 0, expiry);
        cache.RequireWriter().Publish(in reservation, bytes);
    }

    private static void Drop(CacheEngine cache, int key)
    {
        var bytes = BitConverter.GetBytes(key);
        Assert.True(cache.Store.Finder.TryPin(bytes, XxHash64.Hash(bytes), out var pinned));
        cache.RequireWriter().TryDrop(in pinned, onlyIfExpired: true);
        cache.Store.Leases.Undo(pinned.Ticket);
    }

    private static void Fill(MessageCache<int> cache, int first)
    {
        for (var i = first; i < first + 2_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }
    }

    /// <summary>A clock that holds one thread when it asks for the time.</summary>
    private sealed class HeldClock : TimeProvider, IDisposable
    {
        private readonly ManualResetEventSlim _isHeld = new();
        private readonly ManualResetEventSlim _isReleased = new();
        private int _thread;

        public DateTimeOffset Now { get; set; } = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow()
        {
            if (Environment.CurrentManagedThreadId == Volatile.Read(ref _thread))
            {
                _isHeld.Set();
                _isReleased.Wait();
            }

            return Now;
        }

        public void Hold(Action action)
        {
            Volatile.Write(ref _thread, Environment.CurrentManagedThreadId);
            action();
        }

        public void AwaitHeld() => Assert.True(_isHeld.Wait(TimeSpan.FromSeconds(60)), "The thread does not ask for the time.");

        public void Release() => _isReleased.Set();

        public void Dispose()
        {
            _isHeld.Dispose();
            _isReleased.Dispose();
        }
    }
}
