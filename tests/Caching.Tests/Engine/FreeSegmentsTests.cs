namespace BufferedMessages.Caching.Tests;

public sealed class FreeSegmentsTests
{
    private readonly object _gate = new();

    [Fact]
    public void The_failure_of_an_attempt_that_began_earlier_is_not_thrown()
    {
        var thrown = Assert.Throws<IOException>(() => Await(
            static free => free.Fail(new IOException("The first attempt.")),
            static free => free.BeginAttempt(),
            static free => free.Fail(new IOException("The second attempt."))));

        Assert.Equal("The second attempt.", thrown.Message);
    }

    [Fact]
    public void Leases_that_an_attempt_found_which_began_earlier_end_no_wait()
    {
        var taken = Await(static free => free.NoteHeld(), static free => free.BeginAttempt(), static free => free.Add(7));
        Assert.Equal(7, taken);

        Assert.Throws<TimeoutException>(() => Await(static free => free.BeginAttempt(), static free => free.NoteHeld()));
    }

    [Fact]
    public void Each_thread_gets_a_full_disk_as_an_exception_of_its_own()
    {
        var full = new DiskFullException("0000.segment", 4_096, new IOException("Full."));

        var thrown = Assert.Throws<DiskFullException>(() => Await(static free => free.BeginAttempt(), free => free.Fail(full)));

        Assert.NotSame(full, thrown);
        Assert.Same(full, thrown.InnerException);
        Assert.Equal((full.File, full.Bytes), (thrown.File, thrown.Bytes));
    }

    [Fact]
    public void A_segment_that_comes_when_the_time_is_over_is_taken()
    {
        var taken = Await(static free => { free.BeginAttempt(); free.NoteHeld(); free.Add(7); });

        Assert.Equal(7, taken);
    }

    // The thread that makes segments looks without the lock, at any time.
    [Fact]
    public void A_thread_is_counted_as_waiting_between_two_parts_of_its_wait_too()
    {
        var isWanted = false;

        Await(static _ => { }, free => { isWanted = free.IsWanted; free.Add(7); });

        Assert.True(isWanted);
    }

    // Waits for a segment after one attempt has begun. Each time that the worker is woken it takes its next step.
    private int Await(params Action<FreeSegments>[] steps)
    {
        var next = 0;
        FreeSegments? free = null;
        free = new FreeSegments(_gate, "cache", TimeSpan.Zero, () => steps.ElementAtOrDefault(next++)?.Invoke(free!));
        free.BeginAttempt();
        lock (_gate)
        {
            free.Await(kept: 0);
            return free.Take();
        }
    }
}
