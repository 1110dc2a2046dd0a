using System.Runtime.CompilerServices;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

public sealed class CurrentIndexTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Only_a_process_that_only_reads_takes_the_next_generation_from_its_file(bool isReadOnly)
    {
        _directory.Open<int>().Dispose();
        var control = CacheControl.Open(_directory, CacheKey.KindOf<int>(), FileAccess.ReadWrite);
        var table = IndexTable.TryOpen(_directory, control.Header.IndexGeneration, FileAccess.Read, out _)!;
        var index = new CurrentIndex(control, isReadOnly);
        index.Publish(table);
        var larger = IndexTable.Create(_directory, table.Generation + 1, 2 * table.Buckets, FilePermissions.OfUser);

        control.Header.IndexGeneration = larger.Generation;

        Assert.Equal(isReadOnly ? larger.Bytes : table.Bytes, index.Bytes);
        Assert.Equal(isReadOnly ? larger.Generation : table.Generation, index.Table.Generation);
        Assert.Equal(!isReadOnly, ReferenceEquals(index.Published, table));
    }

    // The read counts itself in the table at its end. Only optimized code forgets a table that it does not use any more, so the key is read often before.
    [Fact]
    public void A_table_that_is_replaced_during_a_read_stays_until_the_read_has_ended()
    {
        const int Key = 0;
        var clock = new ActingClock();
        using var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        Set(cache, Key, 10, CacheExpiry.After(TimeSpan.FromHours(1)));
        for (var i = 0; i < 50_000; i++)
        {
            Assert.True(TryRead(cache, Key));
        }

        var table = TableOf(cache);
        var isThere = true;
        clock.Action = () =>
        {
            for (var i = 1; i < 12_000; i++)
            {
                Set(cache, i, 0, CacheExpiry.Never);
            }

            GC.Collect();
            isThere = table.TryGetTarget(out var target) && !ReferenceEquals(target, cache.Store.Index.Table);
        };

        Assert.True(TryRead(cache, Key));
        Assert.Null(clock.Action);
        Assert.True(isThere);
    }

    [Fact]
    public void A_thread_whose_full_table_was_replaced_since_does_not_replace_the_larger_one()
    {
        using var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), CacheDirectory.Small);
        var full = cache.Store.Index.Table;
        var growth = new IndexGrowth(cache.Store, new KeyLocks());
        growth.Grow(full, isNeeded: true);
        var larger = cache.Store.Index.Table;

        growth.Grow(full, isNeeded: true);

        Assert.NotSame(full, larger);
        Assert.Same(larger, cache.Store.Index.Table);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<IndexTable> TableOf(CacheEngine cache) => new(cache.Store.Index.Table);

    private static void Set(CacheEngine cache, int key, int valueBytes, CacheExpiry expiry)
    {
        var bytes = BitConverter.GetBytes(key);
        var reservation = cache.RequireWriter().Reserve(bytes, XxHash64.Hash(bytes), valueBytes, schema: 0, expiry);
        cache.RequireWriter().Publish(in reservation, bytes);
    }

    private static bool TryRead(CacheEngine cache, int key)
    {
        var isHit = cache.Reader.TryGet(BitConverter.GetBytes(key), out var lease);
        if (isHit)
        {
            lease.Leases!.Return(lease.Ticket);
        }

        return isHit;
    }

    /// <summary>A clock that acts once when it is asked for the time.</summary>
    private sealed class ActingClock : TimeProvider
    {
        public Action? Action { get; set; }

        public override DateTimeOffset GetUtcNow()
        {
            var action = Action;
            Action = null;
            action?.Invoke();
            return base.GetUtcNow();
        }
    }
}
