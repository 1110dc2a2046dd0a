namespace BufferedMessages.Caching.Tests;

public sealed class AttemptFailuresTests
{
    [Fact]
    public void The_failure_of_an_attempt_that_began_earlier_is_not_thrown()
    {
        var failures = new AttemptFailures();
        failures.Begin();
        var attempts = failures.Begun;
        failures.Note(new IOException("The first attempt."));

        failures.ThrowAfter(attempts);

        failures.Begin();
        failures.ThrowAfter(attempts);
        failures.Note(new IOException("The second attempt."));
        Assert.Equal("The second attempt.", Assert.Throws<IOException>(() => failures.ThrowAfter(attempts)).Message);
    }

    [Fact]
    public void Each_thread_gets_a_full_disk_as_an_exception_of_its_own()
    {
        var failures = new AttemptFailures();
        failures.Begin();
        var full = new DiskFullException("0000.segment", 4_096, new IOException("Full."));
        failures.Note(full);

        var thrown = Assert.Throws<DiskFullException>(() => failures.ThrowAfter(0));

        Assert.NotSame(full, thrown);
        Assert.Same(full, thrown.InnerException);
        Assert.Equal((full.File, full.Bytes), (thrown.File, thrown.Bytes));
    }
}
