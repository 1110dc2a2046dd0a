using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The pauses of a reader that has caught up, and the time for which a wait looks before it sleeps.</summary>
public sealed class ReadPaceTests
{
    // Of about 37 ns: 10 microseconds.
    private const int LongestPause = 270;

    private const long Bytes = 1_024;

    [Fact]
    public void A_reader_of_a_fast_stream_pauses_for_longer_and_longer()
    {
        var pace = new ReadPace(TimeSpan.FromMicroseconds(10), ringBytes: null);
        var pause = pace.Next(1, Bytes);
        for (var wait = 0; wait < 8; wait++)
        {
            var next = pace.Next(pause, Bytes);
            Assert.InRange(next, pause, 2 * pause);
            pause = next;
        }

        Assert.Equal(LongestPause, pause);
    }

    [Fact]
    public void Trials_are_rare_while_messages_come_one_at_a_time()
    {
        var pace = new ReadPace(TimeSpan.FromMicroseconds(10), ringBytes: null);
        var pauses = 0;
        for (var wait = 0; wait < 1_000_000; wait++)
        {
            pauses += pace.Next(1, Bytes) > 1 ? 1 : 0;
        }

        Assert.InRange(pauses, 1, 300);
    }

    [Fact]
    public void A_stream_after_a_long_dialogue_is_noticed()
    {
        var pace = new ReadPace(TimeSpan.FromMicroseconds(10), ringBytes: null);
        for (var wait = 0; wait < 1_000_000; wait++)
        {
            pace.Next(1, Bytes);
        }

        var pause = 1;
        for (var wait = 0; wait < 5_000; wait++)
        {
            pause = pace.Next(Math.Max(pause, 1), Bytes);
        }

        Assert.Equal(LongestPause, pause);
    }

    [Fact]
    public void A_reader_goes_back_to_looking_at_once_when_a_stream_becomes_slow()
    {
        var pace = new ReadPace(TimeSpan.FromMicroseconds(10), ringBytes: null);
        for (var wait = 0; wait < 100; wait++)
        {
            pace.Next(1_000, Bytes);
        }

        Assert.Equal(1, pace.Next(9, Bytes));
    }

    [Theory]
    [InlineData(64 * 1024L, 16 * 1024)]
    [InlineData(1024 * 1024 * 1024L, 256 * 1024)]
    [InlineData(null, 256 * 1024)]
    public void A_pause_becomes_shorter_when_it_lets_in_too_much_for_the_ring_or_the_cache(long? ringBytes, long mostBytes)
    {
        var pace = new ReadPace(TimeSpan.FromMicroseconds(10), ringBytes);
        for (var wait = 0; wait < 100; wait++)
        {
            pace.Next(1_000, mostBytes);
        }

        Assert.Equal(LongestPause, pace.Next(1_000, mostBytes));
        Assert.Equal(LongestPause / 2, pace.Next(1_000, mostBytes + 1));
    }

    [Fact]
    public void Without_a_delay_each_look_is_at_once()
    {
        var pace = new ReadPace(TimeSpan.Zero, ringBytes: null);
        for (var wait = 0; wait < 1_000; wait++)
        {
            Assert.Equal(1, pace.Next(1_000, Bytes));
        }
    }

    [Fact]
    public void A_wait_looks_for_twice_the_time_of_a_wake_up_if_that_would_have_paid()
    {
        var microsecond = Stopwatch.Frequency / 1_000_000;
        var budget = new SpinBudget();
        for (var wait = 0; wait < 50; wait++)
        {
            budget.Count(slept: 60 * microsecond, wakeCost: 20 * microsecond);
        }

        Assert.InRange(budget.Ticks, 39 * microsecond, 50 * microsecond);
    }

    [Fact]
    public void A_wait_hardly_looks_if_messages_come_rarely_until_one_comes_soon()
    {
        var microsecond = Stopwatch.Frequency / 1_000_000;
        var budget = new SpinBudget();
        Assert.True(budget.IsWorthwhile);
        for (var wait = 0; wait < 20; wait++)
        {
            budget.Count(slept: 10_000 * microsecond, wakeCost: 50 * microsecond);
        }

        Assert.False(budget.IsWorthwhile);

        budget.Count(slept: 60 * microsecond, wakeCost: 50 * microsecond);
        Assert.True(budget.IsWorthwhile);
    }

    [Fact]
    public void An_asynchronous_wait_hardly_looks_if_that_did_not_pay_until_it_does()
    {
        var looks = new LooksBeforeAwait();
        var worthwhile = 0;
        for (var wait = 0; wait < 164; wait++)
        {
            worthwhile += looks.AreWorthwhile ? 1 : 0;
            looks.Count(found: false);
        }

        Assert.Equal(4 + 10, worthwhile);

        looks.Count(found: true);
        Assert.True(looks.AreWorthwhile);
    }

    [Fact]
    public void A_wait_hardly_looks_if_its_time_was_often_over_unless_that_was_short()
    {
        var microsecond = Stopwatch.Frequency / 1_000_000;
        var budget = new SpinBudget();
        for (var wait = 0; wait < 20; wait++)
        {
            budget.CountTimeout(100 * microsecond);
        }

        Assert.True(budget.IsWorthwhile);

        for (var wait = 0; wait < 20; wait++)
        {
            budget.CountTimeout(101 * microsecond);
        }

        Assert.False(budget.IsWorthwhile);
    }
}
