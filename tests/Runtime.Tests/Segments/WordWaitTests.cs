using BufferedMessages.Runtime.Tests.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class WordWaitTests : IDisposable
{
    // A wait that ends only at it is longer than its thread is waited for.
    private static readonly TimeSpan TooLong = TimeSpan.FromHours(1);

    private readonly string _path = Path.Combine(Path.GetTempPath(), "bmq-" + Guid.NewGuid().ToString("N"));
    private readonly MappedFile _file;

    public WordWaitTests()
    {
        MappedFile.Create(_path, 4096, FilePermissions.OfUser, "creating");
        _file = MappedFile.Open(_path);
    }

    private ref uint Word => ref _file.Span.Record<uint>(0).Value;

    public static TheoryData<bool> Ways() => LinuxKernel.IsSupported ? [true, false] : [false];

    public void Dispose()
    {
        _file.Dispose();
        File.Delete(_path);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_word_that_has_changed_already_is_not_waited_for(bool futex)
    {
        Word = 1;
        var wait = Create(futex);

        new Background(() => wait.Wait(ref Word, 0, TooLong, 0)).Join();
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wait_ends_at_its_limit(bool futex)
    {
        for (var round = 0; round < 30; round++)
        {
            Create(futex).Wait(ref Word, 0, TimeSpan.FromMilliseconds(1), round);
        }
    }

    [Fact]
    public void The_pauses_of_a_wait_whose_sleeps_no_integer_counts_any_more_stay_long()
    {
        Assert.True(PollingWait.PauseOf(0) < PollingWait.PauseOf(int.MaxValue));
        Assert.Equal(PollingWait.PauseOf(int.MaxValue), PollingWait.PauseOf(unchecked(int.MaxValue + 1)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wake_ends_a_wait(bool futex)
    {
        var wait = Create(futex);
        using var started = new ManualResetEventSlim();
        var waiting = new Background(
            () =>
            {
                started.Set();
                for (var round = 0; Volatile.Read(ref Word) == 0; round++)
                {
                    wait.Wait(ref Word, 0, TooLong, round);
                }
            });
        started.Wait();
        Thread.Sleep(20);
        Volatile.Write(ref Word, 1);
        wait.WakeAll(ref Word);

        waiting.Join();
    }

    private static WordWait Create(bool futex) => futex ? new FutexWait() : new PollingWait();
}
