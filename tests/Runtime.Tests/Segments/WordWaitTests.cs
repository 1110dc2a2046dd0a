using BufferedMessages.Runtime.Tests.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class WordWaitTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

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

        Create(futex).Wait(ref Word, 0, Generous, 0);
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

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wake_ends_a_wait(bool futex)
    {
        var wait = Create(futex);
        var waiting = new Background(
            () =>
            {
                for (var round = 0; Volatile.Read(ref Word) == 0; round++)
                {
                    wait.Wait(ref Word, 0, Generous, round);
                }
            });
        Thread.Yield();
        Volatile.Write(ref Word, 1);
        wait.WakeAll(ref Word);

        waiting.Join();
    }

    private static WordWait Create(bool futex) => futex ? new FutexWait() : new PollingWait();
}
