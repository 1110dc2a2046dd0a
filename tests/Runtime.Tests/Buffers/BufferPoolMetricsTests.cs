using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class BufferPoolMetricsTests
{
    private readonly string _name = Guid.NewGuid().ToString();

    [Fact]
    public void A_pool_is_seen_by_its_name()
    {
        var pool = new BufferPool(new BufferPoolOptions { Name = _name, MaxPooledBufferBytes = 128 * 1024 });
        using var kept = pool.Rent(100_000);
        pool.Rent(200_000).Dispose();
        pool.Rent(100).Dispose();
        Assert.Equal(
            new Dictionary<string, long>(StringComparer.Ordinal)
            {
                ["bufferedmessages.pool.rented"] = 3,
                ["bufferedmessages.pool.returned"] = 2,
                ["bufferedmessages.pool.allocated"] = 3,
                ["bufferedmessages.pool.dropped"] = 1,
                ["bufferedmessages.pool.in_use"] = 128 * 1024,
                ["bufferedmessages.pool.free"] = 1024,
            },
            Observe());
    }

    [Fact]
    public void Pools_of_one_name_are_summed()
    {
        var one = new BufferPool(new BufferPoolOptions { Name = _name });
        var other = new BufferPool(new BufferPoolOptions { Name = _name });
        one.Rent(1).Dispose();
        other.Rent(1).Dispose();
        Assert.Equal(2, Observe()["bufferedmessages.pool.rented"]);
    }

    [Fact]
    public void A_counter_does_not_fall_when_its_pool_is_collected()
    {
        UseAndForget();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        var seen = Observe();
        Assert.Equal((2, 0), (seen["bufferedmessages.pool.rented"], seen["bufferedmessages.pool.free"]));
    }

    [Fact]
    public void No_counter_falls_while_a_thread_rents_and_returns()
    {
        string[] counters = ["bufferedmessages.pool.rented", "bufferedmessages.pool.returned", "bufferedmessages.pool.allocated", "bufferedmessages.pool.dropped"];
        var pool = new BufferPool(new BufferPoolOptions { Name = _name });
        using var end = new CancellationTokenSource();
        var renter = new Thread(() =>
        {
            while (!end.IsCancellationRequested)
            {
                pool.Rent(1).Dispose();
            }
        })
        {
            IsBackground = true,
        };
        renter.Start();

        var falls = 0;
        try
        {
            var before = Observe();
            for (var look = 0; look < 1_000; look++)
            {
                var now = Observe();
                falls += counters.Count(counter => now[counter] < before[counter]);
                before = now;
            }
        }
        finally
        {
            end.Cancel();
            renter.Join();
        }

        Assert.Equal(0, falls);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UseAndForget()
    {
        var pool = new BufferPool(new BufferPoolOptions { Name = _name });
        pool.Rent(100_000).Dispose();
        pool.Rent(100_000).Dispose();
        Observe();
    }

    private Dictionary<string, long> Observe()
    {
        var seen = new Dictionary<string, long>(StringComparer.Ordinal);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name.StartsWith("bufferedmessages.pool.", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (Equals(tags[0].Value, _name))
            {
                seen.Add(instrument.Name, value);
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        return seen;
    }
}
