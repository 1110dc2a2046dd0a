using System.Globalization;
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

    [Fact]
    public async Task Messages_before_a_failure_in_the_middle_of_a_run_are_not_published_again()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);

        // The sixth message is damaged, and the folder of the dead letters cannot be made.
        var (run, offset) = (Stream.Runs[0], 0);
        for (var i = 0; i < 5; i++)
        {
            Assert.True(RunRecord.TryRead(run, ref offset, out _));
        }

        var body = run.Body.ToArray();
        body.AsSpan(offset + RunRecord.HeaderBytes + 4, 4).Fill(0xFF);
        var stream = FirstRuns(0);
        stream.Append(run.Header, body);
        var obstacle = Obstruct(destination);
        await using var receiver = destination.ReceiveFrom(stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Reconnects >= 3, "several attempts");
        File.Delete(obstacle);

        await UntilAsync(() => receiver.GetStatistics() is { DeadLetters: 1, Received: >= 9 }, "the messages after the damaged one");
        Assert.Equal([.. Sequence(0, 5), .. Sequence(6, 4)], Sequences(destination));
    }

    [Fact]
    public async Task The_delays_begin_anew_when_the_connection_has_worked()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        using var sending = new LogLines("BufferedMessages.Bridges");
        using var receiving = new LogLines("BufferedMessages.Bridges");
        var longest = TimeSpan.FromHours(1);
        Stream.Break();
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = Millisecond, MaxRetryDelay = longest, Logger = sending });
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = Millisecond, MaxRetryDelay = longest, Logger = receiving });
        await UntilAsync(() => sending.Of(2).Count >= 5 && receiving.Of(2).Count >= 5, "five attempts of both");
        Stream.Repair();
        Publish(source, 0, 1);
        await UntilAsync(() => receiver.GetStatistics().Received == 1 && forwarder.GetStatistics() is { Confirmed: 1, InFlightRuns: 0 }, "the message");
        var (sent, received) = (sending.Of(2).Count, receiving.Of(2).Count);
        Stream.Reconnect();
        await UntilAsync(() => sending.Of(2).Count > sent && receiving.Of(2).Count > received, "another failure of both");

        Assert.InRange(DelaysOf(sending)[sent - 1], 16, double.MaxValue);
        Assert.InRange(DelaysOf(sending)[sent], 1, 1.25);
        Assert.InRange(DelaysOf(receiving)[received - 1], 16, double.MaxValue);
        Assert.InRange(DelaysOf(receiving)[received], 1, 1.25);
    }

    [Fact]
    public async Task The_delays_begin_anew_when_the_connection_has_lasted_although_nothing_came()
    {
        using var destination = Directories.Open("destination");
        using var log = new LogLines("BufferedMessages.Bridges");
        var longest = TimeSpan.FromMilliseconds(100);
        Stream.Break();
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = Millisecond, MaxRetryDelay = longest, Logger = log });
        await UntilAsync(() => log.Of(2).Count >= 5, "five attempts");
        Stream.Repair();
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
        var failures = log.Of(2).Count;
        await Task.Delay(2 * longest);
        Stream.Reconnect();
        await UntilAsync(() => log.Of(2).Count > failures, "another failure");

        Assert.InRange(DelaysOf(log)[failures - 1], 16, double.MaxValue);
        Assert.InRange(DelaysOf(log)[failures], 1, 1.25);
    }

    [Fact]
    public async Task The_delays_double_up_to_their_maximum()
    {
        using var source = Directories.Open("source");
        using var log = new LogLines("BufferedMessages.Bridges");
        Stream.Break();
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = Millisecond, MaxRetryDelay = 5 * Millisecond, Logger = log });
        await UntilAsync(() => log.Of(2).Count >= 6, "six attempts");

        double[] least = [1, 2, 4, 5, 5, 5];
        Assert.All(DelaysOf(log).Take(6).Zip(least), static delay => Assert.InRange(delay.First, delay.Second, 1.25 * delay.Second));
    }

    [Fact]
    public async Task Refused_credentials_stop_a_bridge_only_before_its_first_connection()
    {
        using var destination = Directories.Open("destination");
        Stream.Refusal = new UnauthorizedAccessException("The password is wrong.");
        Stream.Break();
        await using (var refused = destination.ReceiveFrom(Stream, Eager))
        {
            await Assert.ThrowsAsync<UnauthorizedAccessException>(() => refused.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        }

        Stream.Repair();
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the first connection");
        Stream.Break();
        await UntilAsync(() => receiver.GetStatistics().Failure is UnauthorizedAccessException, "a refused connection");
        Assert.Equal(BridgeState.Retrying, receiver.GetStatistics().State);
        Stream.Repair();
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "another connection");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_second_forwarder_of_a_name_is_refused_also_while_the_first_one_waits_to_try_again(bool wasConnected)
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 10);
        Stream.IsDown = !wasConnected;
        var longest = TimeSpan.FromHours(1);
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = longest, MaxRetryDelay = longest });
        if (wasConnected)
        {
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 10, "10 messages");
            Stream.Break();
        }

        await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Retrying, "the delay");

        Assert.Throws<QueueInUseException>(() => source.ForwardTo(Stream));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_forwarder_whose_queue_is_gone_when_it_tries_again_stops(bool isDeleted)
    {
        if (isDeleted && OperatingSystem.IsWindows())
        {
            return;
        }

        using var source = Directories.Open("source");
        Stream.Break();
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = Millisecond, MaxRetryDelay = 5 * Millisecond });
        await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Retrying, "an attempt that failed");
        if (isDeleted)
        {
            Directory.Delete(source.Path, recursive: true);
        }
        else
        {
            source.Dispose();
        }

        var stopped = await Assert.ThrowsAnyAsync<Exception>(() => forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Equal(isDeleted ? typeof(StaleQueueException) : typeof(ObjectDisposedException), stopped.GetType());
    }

    private static string Obstruct(MessageQueue queue)
    {
        var path = Path.Combine(queue.Path, "dead");
        File.WriteAllText(path, "in the way");
        return path;
    }

    private static List<double> DelaysOf(LogLines log) => [.. log.Of(2).Select(static line => double.Parse(line.Text.Split(' ')[^2], CultureInfo.InvariantCulture))];
}
