using System.Buffers;
using System.Runtime.InteropServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class BufferPoolConcurrencyTests
{
    private const int Threads = 24;
    private const long Limit = 2 * 1024 * 1024;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Many_threads_never_have_a_buffer_in_two_hands_or_pass_the_limit()
    {
        var pool = new BufferPool(new BufferPoolOptions { MaxFreeBytes = Limit, TrimAfter = TimeSpan.FromMilliseconds(50) });
        using var end = new CancellationTokenSource(Duration);
        var overLimit = 0L;
        var watcher = Task.Run(() =>
        {
            while (!end.IsCancellationRequested)
            {
                overLimit = Math.Max(overLimit, pool.GetStatistics().FreeBytes - Limit);
                Thread.Yield();
            }
        });
        var rentals = new long[Threads];
        var threads = Enumerable.Range(0, Threads).Select(index => new Thread(() => rentals[index] = RentAtRandom(pool, index + 1, end.Token))).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        await watcher;

        pool.Trim();

        // The pool's timer may have dropped buffers and not yet subtracted their bytes.
        Assert.True(SpinWait.SpinUntil(() => pool.GetStatistics().FreeBytes == 0, Generous), "Bytes of buffers that were dropped are still counted.");
        var statistics = pool.GetStatistics();
        Assert.Equal(0, overLimit);
        Assert.All(rentals, count => Assert.True(count > 0, $"{count} rentals by a thread, which fails with -1 where another's stamp was."));
        Assert.Equal(0, statistics.InUseBytes);
        Assert.Equal(statistics.Rented, statistics.Returned);
        Assert.Equal(statistics.Allocated, statistics.Dropped);
        Assert.True(statistics.Rented >= rentals.Sum());
    }

    // Each buffer is stamped at its start and end by who has it, and looked at again before it goes back.
    private static long RentAtRandom(BufferPool pool, long stamp, CancellationToken end)
    {
        var random = new Random((int)stamp);
        var held = new Queue<IDisposable>();
        var rentals = 0L;
        while (rentals == 0 || !end.IsCancellationRequested)
        {
            held.Enqueue(random.Next(3) == 0 ? Stream(pool, stamp, random.Next(200_000)) : Owner(pool, stamp, 16 + random.Next(1 << random.Next(19))));
            rentals++;
            while (held.Count > random.Next(8))
            {
                var returned = held.Dequeue();
                if (!IsStamped(returned, stamp))
                {
                    return -1;
                }

                returned.Dispose();
                returned.Dispose();
            }
        }

        while (held.TryDequeue(out var rest))
        {
            rest.Dispose();
        }

        return rentals;
    }

    private static IMemoryOwner<byte> Owner(BufferPool pool, long stamp, int bytes)
    {
        var owner = pool.Rent(bytes);
        MemoryMarshal.Write(owner.Memory.Span, stamp);
        MemoryMarshal.Write(owner.Memory.Span[^8..], stamp);
        return owner;
    }

    private static PooledStream Stream(BufferPool pool, long stamp, int bytes)
    {
        var stream = pool.GetStream();
        stream.Write(BitConverter.GetBytes(stamp));
        stream.SetLength(bytes + 8);
        stream.Seek(0, SeekOrigin.End);
        stream.Write(BitConverter.GetBytes(stamp));
        return stream;
    }

    private static bool IsStamped(IDisposable rented, long stamp)
    {
        if (rented is IMemoryOwner<byte> owner)
        {
            return IsStamped(owner.Memory.Span, stamp);
        }

        var stream = (PooledStream)rented;
        Span<byte> ends = stackalloc byte[16];
        stream.Position = 0;
        stream.ReadExactly(ends[..8]);
        stream.Seek(-8, SeekOrigin.End);
        stream.ReadExactly(ends[8..]);
        return IsStamped(ends, stamp);
    }

    private static bool IsStamped(ReadOnlySpan<byte> bytes, long stamp) => MemoryMarshal.Read<long>(bytes) == stamp && MemoryMarshal.Read<long>(bytes[^8..]) == stamp;
}
