using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The thread that sleeps for asynchronous waits: by futex and by polling. Those of all queues of the process have the same name.</summary>
[Collection(WholeProcess.Name)]
public abstract class WaitThreadTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(QueueMode.Bounded, ProducerMode.Multiple);

    protected WaitThreadTests(bool polling) => AppContext.SetSwitch(WordWait.PollingSwitch, polling);

    public void Dispose()
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, false);
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Sixty_four_waits_share_one_thread_and_it_goes_when_they_are_over()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        var consumers = Enumerable.Range(0, 64).Select(i => queue.OpenConsumer<RawMessage>($"{i}")).ToList();
        var waits = consumers.ConvertAll(static consumer => consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan).AsTask());
        if (OperatingSystem.IsLinux())
        {
            Assert.True(SpinWait.SpinUntil(() => WaitingThreads() == 1, Generous));
        }

        producer.Publish(Payload.Of(1));

        Assert.All(await Task.WhenAll(waits).WaitAsync(Generous), Assert.True);
        Assert.True(SpinWait.SpinUntil(() => WaitingThreads() == 0, Generous), "The thread stayed.");
        consumers.ForEach(consumer => consumer.Dispose());
    }

    // The kernel keeps the first 15 letters of a thread's name.
    private static int WaitingThreads() => OperatingSystem.IsLinux()
        ? Directory.GetDirectories("/proc/self/task").Count(IsWaitingThread)
        : 0;

    private static bool IsWaitingThread(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).StartsWith("MessageQueue wa", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }

    public sealed class ByFutex() : WaitThreadTests(polling: false);

    public sealed class ByPolling() : WaitThreadTests(polling: true);
}
