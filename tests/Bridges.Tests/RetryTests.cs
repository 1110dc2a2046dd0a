using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The attempts after a failure: their delays, and what they repeat.</summary>
public sealed class RetryTests : BridgeFixture
{
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);

    [Fact]
    public async Task A_deletion_is_counted_once_although_the_run_after_it_cannot_be_taken_yet()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);
        var stream = FirstRuns(1);
        await ReceiveAllAsync(destination, 10, stream);

        // Retention deletes the second run. The third one is damaged, and the folder of the dead letters cannot be made.
        stream.AppendAndTruncate([Stream.Entries[2], new MessageStreamEntry(default, Stream.Entries[3].Header, new byte[5])], deleted: 3);
        var obstacle = Obstruct(destination);
        using var log = new LogLines("BufferedMessages.Bridges");
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { FirstRetryDelay = Millisecond, OnDeleted = DeletedMessages.Skip, Logger = log });
        await UntilAsync(() => log.Of(2).Count >= 4, "four attempts");
        File.Delete(obstacle);
        await UntilAsync(() => receiver.GetStatistics().DeadLetters == 1, "the dead letter");

        // One of entries of the stream, and one of messages of the queue.
        Assert.Equal((2L, 2), (receiver.GetStatistics().Deletions, log.Of(6).Count));
    }

    private static string Obstruct(MessageQueue queue)
    {
        var path = Path.Combine(queue.Path, "dead");
        File.WriteAllText(path, "in the way");
        return path;
    }
}
