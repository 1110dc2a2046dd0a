using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class BufferPoolTests
{
    private const int KB = 1024;

    [Theory]
    [InlineData(0, 1 * KB)]
    [InlineData(1, 1 * KB)]
    [InlineData(1 * KB, 1 * KB)]
    [InlineData((1 * KB) + 1, 4 * KB)]
    [InlineData(4 * KB, 4 * KB)]
    [InlineData((4 * KB) + 1, 16 * KB)]
    [InlineData(16 * KB, 16 * KB)]
    [InlineData((16 * KB) + 1, 64 * KB)]
    [InlineData(64 * KB, 64 * KB)]
    [InlineData((64 * KB) + 1, 128 * KB)]
    [InlineData(128 * KB, 128 * KB)]
    [InlineData((128 * KB) + 1, 256 * KB)]
    [InlineData((256 * KB) + 1, 512 * KB)]
    [InlineData(128 * KB * KB, 128 * KB * KB)]
    [InlineData((128 * KB * KB) + 1, (128 * KB * KB) + 1)]
    public void A_rental_takes_the_smallest_buffer_that_holds_it(int bytes, int expected)
    {
        var pool = new BufferPool();
        using var owner = pool.Rent(bytes);
        Assert.Equal(expected, pool.GetStatistics().InUseBytes);
        Assert.Equal(bytes, owner.Memory.Length);
    }

    [Fact]
    public void Large_buffers_grow_by_multiples_when_that_is_asked_for()
    {
        var pool = new BufferPool(new BufferPoolOptions { LargeBufferGrowth = LargeBufferGrowth.Linear });
        using var owner = pool.Rent(300 * KB);
        Assert.Equal(384 * KB, pool.GetStatistics().InUseBytes);
    }

    [Theory]
    [InlineData(LargeBufferGrowth.Exponential)]
    [InlineData(LargeBufferGrowth.Linear)]
    public void Every_size_fits_its_class_and_no_smaller_one(LargeBufferGrowth growth)
    {
        var sizes = new BufferSizes(new BufferPoolOptions { BlockBytes = 4 * KB, LargeBufferBytes = 5_000, MaxPooledBufferBytes = 100_000, LargeBufferGrowth = growth });
        for (var bytes = 1; bytes <= sizes.LargestBytes; bytes++)
        {
            var sizeClass = sizes.ClassOf(bytes);
            Assert.True(sizes.BytesOf(sizeClass) >= bytes);
            Assert.True(sizeClass == 0 || sizes.BytesOf(sizeClass - 1) < bytes);
        }

        Assert.Equal(sizes.Count - 1, sizes.ClassOf(sizes.LargestBytes));
    }

    [Theory]
    [InlineData(false, 2_147_483_591)]
    [InlineData(true, 2_147_483_527)]
    public void A_buffer_that_no_array_holds_is_refused_with_the_most_bytes_of_its_pool(bool isPinned, int mostBytes)
    {
        var pool = new BufferPool(new BufferPoolOptions { Pinned = isPinned });

        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => pool.Rent(mostBytes + 1));

        Assert.Contains($"at most {mostBytes} bytes", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_that_contradict_each_other_are_refused()
    {
        Assert.Throws<ArgumentException>(() => new BufferPool(new BufferPoolOptions { LargeBufferBytes = 64 * KB }));
        Assert.Throws<ArgumentException>(() => new BufferPool(new BufferPoolOptions { MaxPooledBufferBytes = 100 * KB }));
        Assert.Throws<ArgumentException>(() => new BufferPool(new BufferPoolOptions { BlockBytes = 4 * KB, LargeBufferBytes = 5 * KB, LargeBufferGrowth = LargeBufferGrowth.Linear }));
    }

    [Fact]
    public void Options_out_of_range_are_refused_and_named()
    {
        AssertRefused(new BufferPoolOptions { BlockBytes = 5_000 }, "BlockBytes must be a power of two from 4 KB to 1 MB, but is 5000.");
        AssertRefused(new BufferPoolOptions { BlockBytes = 2 * KB }, "BlockBytes");
        AssertRefused(new BufferPoolOptions { LargeBufferBytes = 0 }, "LargeBufferBytes must be positive, but is 0.");
        AssertRefused(new BufferPoolOptions { LargeBufferGrowth = (LargeBufferGrowth)2 }, "LargeBufferGrowth");
        AssertRefused(new BufferPoolOptions { MaxPooledBufferBytes = int.MaxValue }, "MaxPooledBufferBytes");
        AssertRefused(new BufferPoolOptions { MaxFreeBytes = -1 }, "MaxFreeBytes");
        AssertRefused(new BufferPoolOptions { MaxStreamBytes = 0 }, "MaxStreamBytes");
        AssertRefused(new BufferPoolOptions { TrimAfter = TimeSpan.Zero }, "TrimAfter must be from 1 millisecond to 24 days, or infinite, but is 00:00:00.");
        AssertRefused(new BufferPoolOptions { TimeProvider = null! }, "TimeProvider must be a clock, but is null.");

        static void AssertRefused(BufferPoolOptions options, string reason) =>
            Assert.Contains(reason, Assert.Throws<ArgumentException>(() => new BufferPool(options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_that_change_later_do_not_reach_the_pool()
    {
        var options = new BufferPoolOptions { MaxStreamBytes = 100, ClearOnReturn = false };
        var pool = new BufferPool(options);
        options.MaxStreamBytes = 1_000;

        Assert.Throws<IOException>(() => pool.GetStream(101));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void A_negative_size_is_refused(int bytes)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => BufferPool.Shared.Rent(bytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => BufferPool.Shared.GetStream(bytes));
    }

    [Fact]
    public void A_size_that_no_array_has_is_refused_and_not_counted()
    {
        var pool = new BufferPool();
        Assert.Throws<ArgumentOutOfRangeException>(() => pool.Rent(int.MaxValue));
        Assert.Equivalent(BufferPoolStatistics.None, pool.GetStatistics());
    }

    [Theory]
    [InlineData(100)]
    [InlineData(100_000)]
    public void A_buffer_that_was_returned_is_rented_again(int bytes)
    {
        var pool = new BufferPool();
        for (var i = 0; i < 10; i++)
        {
            pool.Rent(bytes).Dispose();
        }

        var statistics = pool.GetStatistics();
        Assert.Equal((10, 10, 0), (statistics.Rented, statistics.Returned, statistics.InUseBytes));
        Assert.Equal(1, statistics.Allocated);
    }

    [Fact]
    public void A_buffer_above_the_largest_is_dropped()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxPooledBufferBytes = 128 * KB });
        var drops = new List<(int, BufferDropReason)>();
        pool.BufferDropped += (_, dropped) => drops.Add((dropped.Bytes, dropped.Reason));
        pool.Rent(200 * KB).Dispose();
        Assert.Equal([(200 * KB, BufferDropReason.TooLarge)], drops);
        Assert.Equivalent(new BufferPoolStatistics(1, 1, 1, 1, 0, 0), pool.GetStatistics());
    }

    [Fact]
    public void A_buffer_that_passes_the_limit_is_dropped()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 256 * KB });
        var drops = new List<BufferDropReason>();
        pool.BufferDropped += (_, dropped) => drops.Add(dropped.Reason);
        var owners = Enumerable.Range(0, 10).Select(_ => pool.Rent(128 * KB)).ToList();
        owners.ForEach(owner => owner.Dispose());
        Assert.NotEmpty(drops);
        Assert.All(drops, reason => Assert.Equal(BufferDropReason.OverLimit, reason));
        Assert.Equal(drops.Count, pool.GetStatistics().Dropped);
        Assert.InRange(pool.GetStatistics().FreeBytes, 1, 256 * KB);
    }

    [Fact]
    public void A_limit_of_nothing_keeps_nothing()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 0 });
        pool.Rent(1).Dispose();
        pool.Rent(100 * KB).Dispose();
        Assert.Equivalent(new BufferPoolStatistics(2, 2, 2, 2, 0, 0), pool.GetStatistics());
    }

    [Fact]
    public void Trim_drops_what_is_free_and_nothing_else()
    {
        var pool = new BufferPool();
        using var kept = pool.Rent(100);
        pool.Rent(5_000).Dispose();
        pool.Rent(100_000).Dispose();
        pool.Trim();
        Assert.Equivalent(new BufferPoolStatistics(3, 2, 3, 2, 1 * KB, 0), pool.GetStatistics());
    }

    [Fact]
    public void Pinned_buffers_start_at_multiples_of_64_and_do_not_move()
    {
        var pool = new BufferPool(new BufferPoolOptions { Pinned = true });
        foreach (var bytes in new[] { 1, 1_000, 10_000, 64 * KB, 200 * KB, 200 * KB * KB })
        {
            using var owner = pool.Rent(bytes);
            Assert.Equal(0, AddressOf(owner.Memory.Span) % 64);
            Assert.Equal(bytes, owner.Memory.Length);
            Assert.True(MemoryMarshal.TryGetArray<byte>(owner.Memory, out var array));
            Assert.Equal(2, GC.GetGeneration(array.Array!));
        }
    }

    [Fact]
    public void Blocks_of_a_stream_from_a_pinned_pool_start_at_multiples_of_64()
    {
        using var stream = new BufferPool(new BufferPoolOptions { Pinned = true }).GetStream();
        stream.Write(new byte[1_000]);
        stream.Write(new byte[200_000]);
        foreach (var part in stream.GetReadOnlySequence())
        {
            Assert.Equal(0, AddressOf(part.Span) % 64);
        }
    }

    [Fact]
    public void A_pool_that_clears_shows_nothing_of_the_last_rental()
    {
        var pool = new BufferPool(new BufferPoolOptions { ClearOnReturn = true });
        var secret = Guid.NewGuid().ToByteArray();
        using (var stream = pool.GetStream())
        {
            stream.Write(secret);
            stream.SetLength(0);
            secret.CopyTo(stream.GetSpan(500)[400..]);
        }

        using (var owner = pool.Rent(1_024))
        {
            secret.CopyTo(owner.Memory.Span[900..]);
        }

        // All free buffers of the size, and a new one.
        var rented = Enumerable.Range(0, (int)(pool.GetStatistics().FreeBytes / KB) + 1).Select(_ => pool.Rent(1_024)).ToList();
        Assert.All(rented, owner => Assert.Equal(-1, owner.Memory.Span.IndexOf(secret)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_pool_that_clears_shows_nothing_of_what_was_detached(bool asSequence)
    {
        // Behind what is detached there is a part that was offered and then cut off.
        var pool = new BufferPool(new BufferPoolOptions { ClearOnReturn = true });
        var secret = Guid.NewGuid().ToByteArray();
        using (var stream = pool.GetStream())
        {
            stream.Write(new byte[1_000]);
            stream.Write(secret);
            secret.CopyTo(stream.GetSpan(500)[400..]);
            stream.SetLength(1_000);
            using IDisposable owner = asSequence ? stream.DetachSequence() : stream.DetachMemory();
            stream.Write(secret);
        }

        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        Assert.All(RentAllFree(pool), buffer => Assert.Equal(-1, buffer.AsSpan().IndexOf(secret)));
    }

    [Fact]
    public void A_pool_that_poisons_finds_writes_to_buffers_that_were_returned()
    {
        var pool = new BufferPool(new BufferPoolOptions { PoisonOnReturn = true, MaxFreeBytes = 150 * KB });
        var owner = pool.Rent(100_000);
        var span = owner.Memory.Span;
        owner.Dispose();
        span[7] = 1;
        var exception = Assert.Throws<InvalidOperationException>(() => pool.Rent(100_000));
        Assert.Contains("at byte 7 ", exception.Message, StringComparison.Ordinal);
        pool.Rent(100_000).Dispose();
    }

    [Theory]
    [InlineData(100)] // The block of this thread.
    [InlineData(100_000)]
    public void A_buffer_that_was_changed_after_its_return_is_dropped_with_this_reason(int bytes)
    {
        var pool = new BufferPool(new BufferPoolOptions { PoisonOnReturn = true });
        var drops = new List<BufferDropReason>();
        pool.BufferDropped += (_, dropped) => drops.Add(dropped.Reason);
        var owner = pool.Rent(bytes);
        var span = owner.Memory.Span;
        owner.Dispose();
        span[^1] = 1;

        Assert.Throws<InvalidOperationException>(() => pool.Rent(bytes));

        Assert.Equal([BufferDropReason.ChangedAfterReturn], drops);
        Assert.Equivalent(new BufferPoolStatistics(2, 2, 1, 1, 0, 0), pool.GetStatistics());
    }

    [Fact]
    public void A_pool_that_is_not_used_is_collected()
    {
        var pool = Forgotten();

        // A look at the metrics by a test beside this one holds each pool for a moment.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                GC.Collect();
                return !pool.TryGetTarget(out _);
            },
            TimeSpan.FromSeconds(30)));
    }

    // As whole buffers: the memory of an owner ends before them.
    private static List<byte[]> RentAllFree(BufferPool pool)
    {
        var buffers = new List<byte[]>();
        foreach (var bytes in new[] { 1 * KB, 4 * KB })
        {
            long free;
            do
            {
                free = pool.GetStatistics().FreeBytes;
                buffers.Add(pool.Store.RentBuffer(bytes));
            }
            while (pool.GetStatistics().FreeBytes < free);
        }

        return buffers;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<BufferPool> Forgotten()
    {
        var pool = new BufferPool();
        pool.Rent(100).Dispose();
        return new WeakReference<BufferPool>(pool);
    }

    private static unsafe nint AddressOf(ReadOnlySpan<byte> span) => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetReference(span));
}
