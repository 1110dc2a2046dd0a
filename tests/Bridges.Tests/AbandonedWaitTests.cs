using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Waits that are open when their connection ends.</summary>
public sealed class AbandonedWaitTests : BridgeFixture
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_wait_that_is_open_when_its_connection_ends_is_not_reported_as_an_unobserved_task(bool isForwarder)
    {
        var failure = new ObjectDisposedException("The connection");
        var isReported = false;
        TaskScheduler.UnobservedTaskException += Note;
        try
        {
            await (isForwarder ? FailToForwardAsync(failure) : ReceiveAsync(failure));
            for (var i = 0; i < 10; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Note;
        }

        Assert.False(isReported);

        void Note(object? sender, UnobservedTaskExceptionEventArgs unobserved) => isReported |= unobserved.Exception.InnerExceptions.Contains(failure);
    }

    private async Task FailToForwardAsync(Exception failure)
    {
        using var source = Directories.Open("source");
        var stream = new AbandonedStream(failure);
        await using var forwarder = source.ForwardTo(stream, new ForwarderOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => stream.IsWaiting, "a wait for a confirmation");
        Publish(source, 0, 1);
        await UntilAsync(() => stream.IsDisposed, "the end of the connection");
    }

    // The journal is not due, so the receiver waits for its time beside the next entry.
    private async Task ReceiveAsync(Exception failure)
    {
        using var destination = Directories.Open("destination");
        var stream = new AbandonedStream(failure);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { JournalInterval = TimeSpan.FromHours(1) });
        await UntilAsync(() => stream.IsWaiting, "a wait for the third entry");
    }
}
