using System.Text.Json;
using BufferedMessages.Segments;
using BufferedMessages.TestKit;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Journals of receivers that are damaged, or do not belong to the stream.</summary>
public sealed class JournalTests : BridgeFixture
{
    private const UnixFileMode OfAll = (UnixFileMode)0x1B6;
    private const UnixFileMode FolderOfAll = (UnixFileMode)0x1FF;

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("\0\0\0\0")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{ "version": 1, "sources": [] }""")]
    [InlineData("""{ "version": 0, "destination": "00000000-0000-0000-0000-000000000000", "position": 0, "offsetMajor": 0, "offsetMinor": 0, "system": "fake", "stream": "orders", "run": {}, "sources": [] }""")]
    [InlineData("""{ "version": 1, "destination": "00000000-0000-0000-0000-000000000000", "position": 0, "offsetMajor": 0, "offsetMinor": 0, "system": "fake", "stream": "orders", "run": {}, "sources": null }""")]
    [InlineData("""{ "version": 1, "destination": "00000000-0000-0000-0000-000000000000", "position": 0, "offsetMajor": 0, "offsetMinor": 0, "system": "fake", "stream": "orders", "run": {}, "sources": [null] }""")]
    [InlineData("""{ "version": 1, "destination": "00000000-0000-0000-0000-000000000000", "position": 0, "offsetMajor": 0, "offsetMinor": 0, "system": "fake", "stream": "orders", "sources": [] }""")]
    [InlineData("""{ "version": 1, "destination": "00000000-0000-0000-0000-000000000000", "position": 0, "offsetMajor": 0, "offsetMinor": 0, "system": "fake", "stream": "orders", "run": null, "sources": [] }""")]
    public void A_damaged_journal_is_refused_and_named(string text)
    {
        using var destination = Directories.Open("destination");
        WriteJournal(text);

        var refusal = Assert.Throws<QueueCorruptedException>(() => destination.ReceiveFrom(Stream, Eager));
        Assert.Contains(JournalPath, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("the journal of the bridge is damaged", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(text, File.ReadAllText(JournalPath));
    }

    [Fact]
    public void A_journal_that_cannot_be_looked_at_is_not_taken_for_missing()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var destination = Directories.Open("destination");
        using var journal = ReceiverJournal.Open(destination, Stream, "orders");
        Assert.Null(journal.Read());

        using var hiding = new HiddenPath(Path.GetDirectoryName(JournalPath)!);

        Assert.ThrowsAny<IOException>(() => journal.Read());
    }

    [Fact]
    public async Task A_journal_whose_folder_was_deleted_is_made_again_and_locked()
    {
        // Files of other systems have no identity here, or cannot be deleted while they are open.
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), JournalInterval = TimeSpan.Zero });
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        await UntilAsync(() => receiver.GetStatistics().Received == 20 && File.Exists(JournalPath), "the journal");

        Directory.Move(Path.GetDirectoryName(JournalPath)!, Directories.PathOf("moved"));
        Publish(source, 20, 20);
        await ForwardAllAsync(source);

        await UntilAsync(() => receiver.GetStatistics().Received == 40 && File.Exists(JournalPath), "the journal again");
        Assert.Equal(Environment.ProcessId, Assert.Throws<QueueInUseException>(() => destination.ReceiveFrom(Stream, Eager)).ProcessId);
        Assert.Equal(Sequence(0, 40), Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_names_its_process_in_place_of_one_that_was_killed()
    {
        using var destination = Directories.Open("destination");
        WriteHolder("""{ "processId": 2147483647, "processStart": "2026-11-23T04:05:06+00:00", "note": "longer than the next one, of which nothing may stay" }""");
        await using var receiver = destination.ReceiveFrom(Stream, Eager);

        var refusal = Assert.Throws<QueueInUseException>(() => destination.ReceiveFrom(Stream, Eager));
        Assert.Equal((Environment.ProcessId, new DateTimeOffset(ThisProcess.StartTicks(), TimeSpan.Zero)), (refusal.ProcessId, refusal.ProcessStart));
    }

    [Theory]
    [InlineData("""{ "processId": """, 0, "is in use by another process.")]
    [InlineData("""{ "processId": 2147483647, "processStart": "2026-11-23T04:05:06+00:00" }""", int.MaxValue, "is in use by process 2147483647, started 2026-11-23 04:05:06Z.")]
    public void A_name_is_refused_also_if_its_process_is_not_known_or_not_seen_here(string holder, int processId, string reason)
    {
        using var destination = Directories.Open("destination");
        WriteHolder(holder);
        using var name = FileLease.TryAcquire(JournalPath + ".lock", FilePermissions.OfUser);

        var refusal = Assert.Throws<QueueInUseException>(() => destination.ReceiveFrom(Stream, Eager));
        Assert.Equal(processId, refusal.ProcessId);
        Assert.Contains(reason, refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{ "version": 2 }""")]
    [InlineData("""{ "version": 2, "sources": { "form": "another" } }""")]
    public void A_journal_of_a_later_version_is_not_called_damaged(string text)
    {
        using var destination = Directories.Open("destination");
        WriteJournal(text);

        Assert.Throws<NotSupportedException>(() => destination.ReceiveFrom(Stream, Eager));
    }

    [Fact]
    public async Task A_receiver_of_another_stream_reads_that_stream_from_its_start()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 20);
        await ForwardAllAsync(first);
        await ReceiveAllAsync(destination, 20);

        // The other stream has as many entries, and goes on in a new session of its forwarder.
        var other = new FakeStream("payments");
        Publish(second, 100, 50);
        await ForwardAllAsync(second, stream: other);
        Publish(second, 150, 10);
        await ForwardAllAsync(second, stream: other);
        using var log = new LogLines("BufferedMessages.Bridges");
        await ReceiveAllAsync(destination, 60, new ReceiverOptions { Name = "orders", Logger = log }, other);

        Assert.Contains("is that of stream orders of fake. The bridge begins stream payments of fake at the Start of its options", Assert.Single(log.Of(9)).Text, StringComparison.Ordinal);
        Assert.Equal([.. Sequence(0, 20), .. Sequence(100, 60)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_of_a_stream_of_the_same_name_on_another_product_names_both_products()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 20);
        await File.WriteAllTextAsync(JournalPath, (await File.ReadAllTextAsync(JournalPath)).Replace("\"fake\"", "\"other\"", StringComparison.Ordinal));
        using var log = new LogLines("BufferedMessages.Bridges");
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { Logger = log });
        await UntilAsync(() => receiver.GetStatistics().Duplicates == 20, "the messages again");

        Assert.Contains("is that of stream orders of other. The bridge begins stream orders of fake at the Start of its options", Assert.Single(log.Of(9)).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(DeletedMessages.Stop)]
    [InlineData(DeletedMessages.Skip)]
    public async Task A_stream_that_was_made_anew_and_has_more_entries_than_before_is_read_from_its_beginning(DeletedMessages onDeleted)
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 20);
        await ForwardAllAsync(first);
        await ReceiveAllAsync(destination, 20);

        var again = new FakeStream();
        Publish(second, 100, 50);
        await ForwardAllAsync(second, stream: again);
        Publish(first, 20, 10);
        await ForwardAllAsync(first, stream: again);
        await ReceiveAllAsync(destination, 60, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), OnDeleted = onDeleted }, again);

        Assert.Equal([.. Sequence(0, 20), .. Sequence(100, 50), .. Sequence(20, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_connected_receiver_finds_out_that_the_stream_was_made_anew_when_it_connects_again()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 20);
        await ForwardAllAsync(first);
        var again = new FakeStream();
        Publish(second, 100, 50);
        await ForwardAllAsync(second, stream: again);

        var stream = new ReplacedStream(Stream);
        await using var receiver = destination.ReceiveFrom(stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        stream.Current = again;
        Stream.Break();

        await UntilAsync(() => receiver.GetStatistics().Received == 70, "the messages of the new stream");
        Assert.Equal([.. Sequence(0, 20), .. Sequence(100, 50)], Sequences(destination));
    }

    [Fact]
    public async Task A_run_that_begins_later_than_the_one_before_it_at_its_offset_is_the_same()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 20);
        await ForwardAllAsync(source, batch: 20);
        var whole = new FakeStream();
        await ForwardUnderAnotherNameAsync(source, whole, batch: 10);
        var (once, later) = (Stream.Entries[1], whole.Entries[2]);

        Assert.False(ReadEntry.Of(once).IsReplacedBy(new MessageStreamEntry(new StreamOffset(1), later.Header, later.Body)));
        Assert.True(ReadEntry.Of(once).IsReplacedBy(whole.Entries[1]));
        Assert.True(ReadEntry.Of(once).IsReplacedBy(new MessageStreamEntry(once.Offset, default, default)));
    }

    [Fact]
    public async Task A_receiver_that_read_only_the_schema_of_a_queue_waits_for_its_first_run_also_after_a_restart()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        var (schema, first, second) = (Stream.Entries[0], Stream.Entries[1], Stream.Entries[2]);

        // The stream lost its beginning. What is left begins with a session of the forwarder.
        var stream = new FakeStream();
        stream.Append(schema.Header, schema.Body);
        stream.Append(schema.Header, schema.Body);
        stream.Truncate(1);
        await using (var receiver = destination.ReceiveFrom(stream, Eager))
        {
            await UntilAsync(() => receiver.GetStatistics().Offset is not null, "the schema");
        }

        stream.Append(second.Header, second.Body);
        await using (var receiver = destination.ReceiveFrom(stream, Eager))
        {
            await UntilAsync(() => receiver.GetStatistics() is { Holes: 1 } or { Received: > 0 }, "the hole");
            stream.Append(first.Header, first.Body);
            stream.Append(second.Header, second.Body);
            await UntilAsync(() => receiver.GetStatistics().Offset?.Major == 4, "the last entry");
        }

        Assert.Equal(Sequence(0, 20), Sequences(destination));
    }

    [Fact]
    public async Task A_journal_catches_up_while_no_entry_comes()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { JournalInterval = TimeSpan.FromMilliseconds(300) });
        await UntilAsync(() => receiver.GetStatistics().Received == 30, "30 messages");

        await UntilAsync(() => ReadOffset() == Stream.Entries[^1].Offset.Major, "the last entry in the journal");
    }

    [Fact]
    public async Task The_files_of_bridges_have_the_mode_of_the_queue()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        using (Directories.Open("source", new MessageQueueOptions { FileMode = OfAll }))
        using (Directories.Open("destination", new MessageQueueOptions { FileMode = OfAll }))
        {
        }

        // The options of a later process need not name the mode.
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 1);
        var small = new FakeStream("small") { MaxBodyBytes = 1 };
        await using (var forwarder = source.ForwardTo(small, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter }))
        {
            await UntilAsync(() => forwarder.GetStatistics().DeadLetters == 1 || forwarder.Completion.IsFaulted, "the dead letter");
        }

        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 1);

        foreach (var folder in (string[])[Path.Combine(source.Path, "dead"), Path.Combine(destination.Path, "bridges")])
        {
            var entries = new DirectoryInfo(folder).EnumerateFileSystemInfos("*", SearchOption.AllDirectories).Append(new DirectoryInfo(folder)).ToList();
            Assert.Contains(entries, static entry => entry is FileInfo);
            Assert.All(entries, static entry => Assert.Equal(entry is DirectoryInfo ? FolderOfAll : OfAll, entry.UnixFileMode));
        }
    }

    private static async Task ForwardUnderAnotherNameAsync(MessageQueue source, FakeStream stream, int batch)
    {
        await using var forwarder = source.ForwardTo(stream, new ForwarderOptions { Name = "other", BatchMessages = batch });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "all are confirmed");
    }

    private ulong ReadOffset()
    {
        using var journal = JsonDocument.Parse(File.ReadAllBytes(JournalPath));
        return journal.RootElement.GetProperty("offsetMajor").GetUInt64();
    }

    private void WriteJournal(string text) => Write(JournalPath, text);

    private void WriteHolder(string text) => Write(JournalPath + ".process", text);

    private static void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    /// <summary>A stream whose next connections are those of another one.</summary>
    private sealed class ReplacedStream(FakeStream stream) : IMessageStream
    {
        private FakeStream _current = stream;

        public FakeStream Current
        {
            set => Volatile.Write(ref _current, value);
        }

        public string Name => _current.Name;

        public string System => _current.System;

        public int MaxBodyBytes => _current.MaxBodyBytes;

        public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => Volatile.Read(ref _current).OpenWriterAsync(cancellationToken);

        public ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => Volatile.Read(ref _current).OpenReaderAsync(start, cancellationToken);

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
