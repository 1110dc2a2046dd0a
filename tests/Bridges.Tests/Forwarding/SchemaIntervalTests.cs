using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>How often a forwarder sends its schema on one connection.</summary>
public sealed class SchemaIntervalTests : BridgeFixture
{
    // As the page of the format says, for readers that begin in the middle.
    [Fact]
    public void The_schema_is_sent_again_after_ten_seconds() => Assert.Equal(TimeSpan.FromSeconds(10), new ForwarderOptions().SchemaInterval);

    [Fact]
    public async Task A_connection_sends_the_schema_once_before_the_interval_is_over()
    {
        await ForwardThreeRunsAsync(TimeSpan.FromHours(1));

        Assert.Equal(
            [(RunKind.Schema, RunFlags.Resumes), (RunKind.Messages, RunFlags.Resumes), (RunKind.Messages, RunFlags.None), (RunKind.Messages, RunFlags.None)],
            Stream.Entries.Select(KindOf));
    }

    // Only the first one says that nothing before it is missing.
    [Fact]
    public async Task A_connection_sends_the_schema_again_with_the_first_run_after_the_interval()
    {
        await ForwardThreeRunsAsync(TimeSpan.Zero);

        Assert.Equal(
            [
                (RunKind.Schema, RunFlags.Resumes), (RunKind.Messages, RunFlags.Resumes), (RunKind.Schema, RunFlags.None), (RunKind.Messages, RunFlags.None), (RunKind.Schema, RunFlags.None),
                (RunKind.Messages, RunFlags.None),
            ],
            Stream.Entries.Select(KindOf));
    }

    private static (RunKind Kind, RunFlags Flags) KindOf(MessageStreamEntry entry)
    {
        Assert.True(MessageRun.TryParse(entry, out var run));
        return (run.Kind, run.Flags);
    }

    private async Task ForwardThreeRunsAsync(TimeSpan interval)
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 30);
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { BatchMessages = 10, SchemaInterval = interval });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsCompleted, "all are confirmed");
    }
}
