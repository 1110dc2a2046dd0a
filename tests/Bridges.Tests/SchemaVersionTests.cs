using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Sources whose messages have several versions of one schema, and receivers that begin after the entry that holds a version.</summary>
public sealed class SchemaVersionTests : BridgeFixture
{
    private static readonly ReceiverOptions Impatient = new() { FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(50) };

    [Fact]
    public async Task Runs_of_two_sources_with_different_versions_follow_each_other_in_any_order()
    {
        using var destination = Directories.Open("destination");
        var (older, newer) = await ForwardBothAsync();

        await ReceiveAllAsync(destination, 40, StreamOf(older[0], older[1], newer[0], newer[1], older[2], newer[2]));

        Assert.Equal([.. Sequence(0, 10), .. Sequence(100, 10), .. Sequence(10, 10), .. Sequence(110, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_is_opened_again_knows_the_versions_of_its_queue()
    {
        using var destination = Directories.Open("destination");
        var (older, newer) = await ForwardBothAsync();
        var stream = StreamOf(older[0], older[1], newer[0], newer[1]);
        await ReceiveAllAsync(destination, 20, stream);

        stream.Append(older[2].Header, older[2].Body);
        await ReceiveAllAsync(destination, 10, stream);

        Assert.Equal([.. Sequence(0, 10), .. Sequence(100, 10), .. Sequence(10, 10)], Sequences(destination));
    }

    // The destination does not store the version that adds nothing to the one that it has.
    [Fact]
    public async Task A_schema_that_no_forwarder_repeats_is_looked_for_before_the_run()
    {
        using var destination = Directories.Open("destination");
        var (older, newer) = await ForwardBothAsync();
        var stream = StreamOf(newer[0], newer[1], older[0], older[1]);
        await ReceiveAllAsync(destination, 20, stream);

        stream.Append(older[2].Header, older[2].Body);
        await ReceiveAllAsync(destination, 10, Impatient, stream);

        Assert.Equal([.. Sequence(100, 10), .. Sequence(0, 20)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_says_that_a_schema_is_missing_and_goes_on_when_it_comes()
    {
        using var destination = Directories.Open("destination");
        var (older, _) = await ForwardBothAsync();
        var stream = StreamOf(older[0], older[1]);
        stream.Truncate(1);
        await using var receiver = destination.ReceiveFrom(stream, Impatient);
        await UntilAsync(
            () => receiver.GetStatistics() is { State: BridgeState.Retrying, Failure.Message: var message } && message.Contains("does not have the schema", StringComparison.Ordinal), "the warning");

        stream.Append(older[0].Header, older[0].Body);
        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        Assert.Equal(Sequence(0, 10), Sequences(destination));
    }

    [Fact]
    public async Task A_schema_is_found_also_if_it_is_further_away_than_a_search_reads()
    {
        const int others = 10;
        using var destination = Directories.Open("destination");
        var (older, _) = await ForwardBothAsync();
        var stream = StreamOf(older[0], older[1]);
        stream.Truncate(1);
        for (var i = 0; i < others; i++)
        {
            stream.Append(default, "a foreign entry"u8.ToArray());
        }

        stream.Append(older[0].Header, older[0].Body);
        await using var receiver = destination.ReceiveFrom(
            new SlowStream(stream), new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(200) });

        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        Assert.Equal(Sequence(0, 10), Sequences(destination));
    }

    [Fact]
    public async Task A_search_for_a_schema_before_the_run_ends_if_the_stream_has_become_empty()
    {
        using var destination = Directories.Open("destination");
        var (older, _) = await ForwardBothAsync();
        var stream = StreamOf(older[0], older[1]);
        stream.Truncate(1);
        var emptied = new TellingStream(stream)
        {
            Reading = offset =>
            {
                if (offset.Major == 1)
                {
                    stream.Truncate(2);
                }
            },
        };
        await using var receiver = destination.ReceiveFrom(emptied, Impatient);
        await UntilAsync(() => receiver.GetStatistics().Reconnects > 0, "another session");

        stream.AppendAll(older[0], older[1]);
        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        Assert.Equal(Sequence(0, 10), Sequences(destination));
    }

    [Fact]
    public async Task A_later_schema_tells_the_version_of_an_earlier_run_too()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        PublishNewer(source, 10, 10);
        await ForwardAllAsync(source);

        // The stream has lost its beginning, and with it the schema before the first run.
        Stream.Truncate(1);
        await ReceiveAllAsync(destination, 20);

        Assert.Equal(Sequence(0, 20), Sequences(destination));
    }

    [Fact]
    public async Task A_forwarder_that_is_connected_sends_a_newer_schema_before_the_messages_of_it()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await using var forwarder = source.ForwardTo(Stream);
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the older messages");
        var before = Stream.Entries.Count;
        PublishNewer(source, 10, 10);
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the newer messages");
        await ReceiveAllAsync(destination, 20);

        Assert.True(MessageRun.TryParse(Stream.Entries[before], out var schema));
        Assert.Equal((RunKind.Schema, source.ContentFingerprint), (schema.Kind, schema.Fingerprint));
        Assert.All(Stream.Runs.Skip(1), run => Assert.Equal(source.ContentFingerprint, run.Fingerprint));
        Assert.Equal(Sequence(0, 20), Sequences(destination));
    }

    private static void PublishNewer(MessageQueue queue, int first, int count)
    {
        using var producer = queue.OpenProducer<NewerTick>();
        for (var i = first; i < first + count; i++)
        {
            producer.Publish(new NewerTick { Sequence = i, Note = $"N{i}" });
        }
    }

    private static FakeStream StreamOf(params MessageStreamEntry[] entries)
    {
        var stream = new FakeStream();
        stream.AppendAll(entries);

        return stream;
    }

    // Of each source the entry of its schema and two runs.
    private async Task<(IReadOnlyList<MessageStreamEntry> Older, IReadOnlyList<MessageStreamEntry> Newer)> ForwardBothAsync()
    {
        using var older = Directories.Open("older");
        using var newer = Directories.Open("newer");
        Publish(older, 0, 20);
        PublishNewer(newer, 100, 20);
        var (ofOlder, ofNewer) = (new FakeStream(), new FakeStream());
        await ForwardAllAsync(older, stream: ofOlder);
        await ForwardAllAsync(newer, stream: ofNewer);
        return (ofOlder.Entries, ofNewer.Entries);
    }
}
