using System.Runtime.CompilerServices;

namespace BufferedMessages.Runtime.Tests.Buffers;

public class BufferPoolLeakTests
{
    private readonly ManualTime _time = new();
    private readonly BufferPool _pool;
    private readonly List<BufferRental> _leaks = [];

    public BufferPoolLeakTests()
    {
        _pool = new BufferPool(new BufferPoolOptions { TrackRentals = true, TimeProvider = _time });
        _pool.LeakFound += (_, leak) => _leaks.Add(leak.Rental);
    }

    [Fact]
    public void A_stream_that_is_not_disposed_is_reported_with_where_it_was_rented()
    {
        LeakStream();
        Collect();
        Assert.Equal(1, _pool.ReportLeaks());
        var leak = Assert.Single(_leaks);
        Assert.Equal((nameof(PooledStream), "upload"), (leak.Kind, leak.Tag));
        Assert.Contains(nameof(LeakStream), leak.StackTrace, StringComparison.Ordinal);
    }

    [Fact]
    public void An_owner_and_a_detached_sequence_are_reported_too()
    {
        LeakOwners();
        Collect();
        Assert.Equal(3, _pool.ReportLeaks());
        Assert.All(_leaks, leak => Assert.Contains(nameof(LeakOwners), leak.StackTrace, StringComparison.Ordinal));
    }

    [Fact]
    public void A_leak_is_reported_once()
    {
        LeakStream();
        Collect();
        _pool.ReportLeaks();
        Assert.Equal(0, _pool.ReportLeaks());
    }

    [Fact]
    public void The_timer_reports_leaks()
    {
        LeakStream();
        Collect();
        _time.Ring();
        Assert.Single(_leaks);
    }

    [Fact]
    public void A_buffer_that_leaked_is_not_pooled_again()
    {
        LeakStream();
        Collect();
        _pool.ReportLeaks();
        Assert.Equal((0, 1_024), (_pool.GetStatistics().FreeBytes, _pool.GetStatistics().InUseBytes));
    }

    [Fact]
    public void A_rental_that_is_disposed_is_not_a_leak()
    {
        using (var stream = _pool.GetStream())
        {
            stream.WriteByte(1);
            using var sequence = stream.DetachSequence();
            stream.WriteByte(1);
            using var memory = stream.DetachMemory();
        }

        Collect();
        Assert.Equal(0, _pool.ReportLeaks());
        Assert.Empty(_pool.GetRentals());
    }

    [Fact]
    public void Rentals_can_be_listed()
    {
        using var stream = _pool.GetStream("first");
        using var owner = _pool.Rent(10, "second");
        Assert.Equal(["first", "second"], _pool.GetRentals().Select(rental => rental.Tag).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Without_the_switch_nothing_is_remembered()
    {
        var pool = new BufferPool();
        using var stream = pool.GetStream("first");
        Assert.Empty(pool.GetRentals());
        Assert.Equal("first", stream.Tag);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LeakStream() => _pool.GetStream("upload").WriteByte(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LeakOwners()
    {
        _pool.Rent(10);
        using var stream = _pool.GetStream();
        stream.WriteByte(1);
        stream.DetachSequence();
        stream.WriteByte(1);
        stream.DetachMemory();
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
