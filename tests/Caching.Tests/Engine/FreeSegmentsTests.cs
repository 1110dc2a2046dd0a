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
