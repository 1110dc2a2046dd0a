namespace BufferedMessages.Runtime.Tests.Buffers;

public class BufferPoolTrimTests
{
    private const int Large = 128 * 1024;

    private readonly ManualTime _time = new();
    private readonly BufferPool _pool;

    public BufferPoolTrimTests() => _pool = new BufferPool(new BufferPoolOptions { TimeProvider = _time });

    [Fact]
    public void A_pool_without_free_buffers_sets_no_timer()
    {
        using var owner = _pool.Rent(Large);
        Assert.Equal(0, _time.Set);
    }

    [Fact]
    public void Memory_that_was_not_needed_for_a_whole_period_is_dropped()
    {
        RentAndReturn(10);
        _time.Ring();
        RentAndReturn(3);
        _time.Ring();
        Assert.Equal(3 * Large, _pool.GetStatistics().FreeBytes);
        Assert.Equal(7, _pool.GetStatistics().Dropped);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(Large)]
    public void Memory_that_came_back_in_an_idle_period_is_kept(int bytes)
    {
        var first = _pool.Rent(bytes);
        var second = _pool.Rent(bytes);
        first.Dispose();
        _time.Ring();
        var free = _pool.GetStatistics().FreeBytes;
        second.Dispose();
        _time.Ring();
        Assert.Equal((1, free), (_pool.GetStatistics().Dropped, _pool.GetStatistics().FreeBytes));
    }

    [Fact]
    public void A_size_that_a_thread_needs_keeps_no_block_of_another_size()
    {
        _pool.Rent(Large / 2).Dispose();
        for (var i = 0; i < 2; i++)
        {
            _pool.Rent(1).Dispose();
            _time.Ring();
        }

        Assert.Equal(1024, _pool.GetStatistics().FreeBytes);
    }

    [Fact]
    public void Memory_that_was_needed_is_kept()
    {
        RentAndReturn(10);
        for (var i = 0; i < 5; i++)
        {
            _time.Ring();
            RentAndReturn(10);
        }

        Assert.Equal(10, _pool.GetStatistics().Allocated);
    }

    [Fact]
    public void An_idle_pool_drops_everything_and_stops_its_timer()
    {
        RentAndReturn(10);
        _pool.Rent(1).Dispose();
        _time.Ring();
        _time.Ring();
        Assert.Equal(0, _pool.GetStatistics().FreeBytes);
        Assert.Equal(0, _time.Set);
    }

    [Fact]
    public void A_pool_that_is_used_again_sets_its_timer_again()
    {
        RentAndReturn(1);
        _time.Ring();
        _time.Ring();
        RentAndReturn(1);
        Assert.Equal(1, _time.Set);
    }

    [Fact]
    public void Without_a_time_nothing_is_trimmed()
    {
        var time = new ManualTime();
        var pool = new BufferPool(new BufferPoolOptions { TimeProvider = time, TrimAfter = Timeout.InfiniteTimeSpan });
        pool.Rent(Large).Dispose();
        Assert.Equal(0, time.Set);
    }

    [Fact]
    public async Task The_systems_clock_trims_too()
    {
        var pool = new BufferPool(new BufferPoolOptions { TrimAfter = TimeSpan.FromMilliseconds(1) });
        pool.Rent(Large).Dispose();
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        while (pool.GetStatistics().FreeBytes > 0)
        {
            await Task.Delay(1, timeout.Token);
        }
    }

    private void RentAndReturn(int buffers)
    {
        var owners = Enumerable.Range(0, buffers).Select(_ => _pool.Rent(Large)).ToList();
        owners.ForEach(owner => owner.Dispose());
    }
}
