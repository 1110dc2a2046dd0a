using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>The blocks that threads keep for their own next rental.</summary>
public class BlocksOfThreadsTests
{
    private const int KB = 1024;

    // Its blocks have 1, 4, 16 and 64 KB.
    private const int BytesPerThread = 85 * KB;

    [Fact]
    public void The_blocks_of_two_threads_share_no_line_of_the_cache() =>
        Assert.True(Unsafe.SizeOf<ThreadBlocks.Slots>() - (3 * 4 * sizeof(long)) >= 64);

    [Fact]
    public void A_thread_that_ended_leaves_its_counts_and_no_block()
    {
        var pool = new BufferPool();
        OnThread(() => pool.Rent(100).Dispose());
        Assert.Equivalent(new BufferPoolStatistics(1, 1, 1, 0, 0, KB), pool.GetStatistics());

        pool.Trim();
        Assert.Equivalent(new BufferPoolStatistics(1, 1, 1, 1, 0, 0), pool.GetStatistics());
    }

    [Fact]
    public void A_block_that_is_returned_on_another_thread_is_that_threads()
    {
        var pool = new BufferPool();
        var stream = pool.GetStream();
        stream.WriteByte(1);
        OnThread(() =>
        {
            stream.Dispose();
            pool.Rent(100).Dispose();
        });

        Assert.Equivalent(new BufferPoolStatistics(2, 2, 1, 0, 0, KB), pool.GetStatistics());
    }

    [Fact]
    public void A_thread_keeps_blocks_of_several_pools()
    {
        BufferPool[] pools = [new(), new(), new()];
        for (var i = 0; i < 10; i++)
        {
            Assert.All(pools, static pool => pool.Rent(100).Dispose());
        }

        Assert.All(pools, static pool => Assert.Equal(1, pool.GetStatistics().Allocated));
    }

    [Fact]
    public void More_threads_than_have_room_take_the_shared_blocks()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = 2 * BytesPerThread });
        pool.Rent(100).Dispose();
        OnThread(() =>
        {
            pool.Rent(100).Dispose();
            pool.Rent(100).Dispose();
        });

        Assert.Equivalent(new BufferPoolStatistics(3, 3, 2, 0, 0, 2 * KB), pool.GetStatistics());
    }

    [Fact]
    public void The_room_of_a_thread_that_ended_is_anothers_after_a_trim()
    {
        var threads = new BlocksOfThreads(1);
        OnThread(() => Assert.NotNull(threads.OfThisThread()));
        Assert.Null(threads.OfThisThread());

        threads.Drop();
        Assert.NotNull(threads.OfThisThread());
    }

    [Fact]
    public void Blocks_of_a_thread_that_takes_none_are_dropped_while_others_rent()
    {
        var time = new ManualTime();
        var pool = new BufferPool(new BufferPoolOptions { TimeProvider = time });
        pool.Rent(100).Dispose();
        time.Ring();
        using var other = new Worker();
        for (var i = 0; i < 2; i++)
        {
            other.Run(() => pool.Rent(5_000).Dispose());
            time.Ring();
        }

        Assert.Equal(16 * KB, pool.GetStatistics().FreeBytes);
    }

    [Fact]
    public void A_pool_that_was_collected_leaves_no_block_with_a_thread()
    {
        var block = BlockOfForgottenPool();

        // A look at the metrics by a test beside this one holds each pool for a moment.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                GC.Collect();
                return !block.TryGetTarget(out _);
            },
            TimeSpan.FromSeconds(30)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<byte[]> BlockOfForgottenPool()
    {
        var pool = new BufferPool();
        var block = pool.Store.RentBuffer(100);
        pool.Store.ReturnBuffer(block, 0);
        Assert.Same(block, pool.Store.RentBuffer(100));
        pool.Store.ReturnBuffer(block, 0);
        return new WeakReference<byte[]>(block);
    }

    private static void OnThread(Action action)
    {
        using var worker = new Worker();
        worker.Run(action);
    }

    // A thread of its own, which lives until it is disposed.
    private sealed class Worker : IDisposable
    {
        private readonly BlockingCollection<Action> _actions = [];
        private readonly Thread _thread;

        public Worker()
        {
            _thread = new Thread(() =>
            {
                foreach (var action in _actions.GetConsumingEnumerable())
                {
                    action();
                }
            });
            _thread.Start();
        }

        public void Run(Action action)
        {
            using var done = new ManualResetEventSlim();
            Exception? failure = null;
            _actions.Add(() =>
            {
                failure = Record.Exception(action);
                done.Set();
            });
            done.Wait();
            Assert.Null(failure);
        }

        public void Dispose()
        {
            _actions.CompleteAdding();
            _thread.Join();
            _actions.Dispose();
        }
    }
}
