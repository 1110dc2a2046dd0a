using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Reading a stream in place, without a queue.</summary>
public sealed class ReadRunsTests : IDisposable
{
    private readonly BridgeDirectory _directory = new();
    private readonly FakeStream _stream = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Views_are_read_in_the_buffer_of_the_broker_once_and_in_order()
    {
        _stream.Fate = static number => number % 3 == 1 ? RunFate.StoredTwice : RunFate.Stored;
        using var source = _directory.Open("source");
        Publish(source, 0, 100);
        await ForwardAsync(source);

        var sequences = new List<long>();
        await foreach (var run in _stream.ReadRunsAsync<TickBufferedMessage>())
        {
            foreach (var received in run)
            {
                sequences.Add(received.Message.Sequence);
                Assert.Equal(source.Id, received.Id.QueueId);
                Assert.True(received.Properties.IsEmpty);
            }

            if (sequences.Count == 100)
            {
                break;
            }
        }

        Assert.Equal(Enumerable.Range(0, 100).Select(static i => (long)i), sequences);
    }

    [Fact]
    public async Task A_loop_that_begins_at_the_offset_of_a_run_gets_that_run_again()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 100);
        await ForwardAsync(source);
        StreamOffset offset = default;
        var count = 0;
        await foreach (var run in _stream.ReadRunsAsync<TickBufferedMessage>())
        {
            offset = run.Offset;
            if (++count == 4)
            {
                break;
            }
        }

        await foreach (var run in _stream.ReadRunsAsync<RawMessage>(StreamStart.At(offset)))
        {
            Assert.Equal((offset, 10), (run.Offset, run.Count));
            break;
        }
    }

    [Fact]
    public async Task A_damaged_run_throws_where_it_is_read_and_the_loop_goes_on()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 50);
        await ForwardAsync(source);
        var damaged = new FakeStream();
        foreach (var entry in _stream.Entries)
        {
            damaged.Append(entry.Header, entry.Offset.Major == 3 ? entry.Body[..100] : entry.Body);
        }

        var sequences = new List<long>();
        var thrown = 0;
        await foreach (var run in damaged.ReadRunsAsync<TickBufferedMessage>())
        {
            try
            {
                foreach (var received in run)
                {
                    sequences.Add(received.Message.Sequence);
                }
            }
            catch (MalformedMessageException)
            {
                thrown++;
            }

            if (run.Offset.Major == 5)
            {
                break;
            }
        }

        Assert.Equal(1, thrown);
        Assert.Equal(49, sequences[^1]);
        Assert.InRange(sequences.Count, 40, 49);
    }

    [Fact]
    public async Task A_stream_that_lost_its_beginning_is_read_also_if_a_foreign_entry_is_the_first_that_is_left()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 50);
        await ForwardAsync(source);
        var stream = new FakeStream();
        foreach (var entry in _stream.Entries)
        {
            stream.Append(entry.Offset.Major == 2 ? default : entry.Header, entry.Body);
        }

        stream.Truncate(2);
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        await foreach (var run in stream.ReadRunsAsync<TickBufferedMessage>(cancellationToken: deadline.Token))
        {
            Assert.Equal(new StreamOffset(3), run.Offset);
            break;
        }
    }

    [Fact]
    public async Task A_stream_that_begins_with_one_queue_is_read_for_the_rest_of_another()
    {
        using var first = _directory.Open("first");
        using var second = _directory.Open("second");
        Publish(first, 0, 20);
        await ForwardAsync(first);
        var deleted = _stream.Entries.Count - 1;
        Publish(second, 100, 10);
        await ForwardAsync(second);

        // The last run of the first queue comes after the second queue's.
        var stream = new FakeStream();
        stream.Append(default, default);
        stream.AppendAll([.. _stream.Entries.Skip(deleted + 1), _stream.Entries[deleted]]);

        stream.Truncate(1);
        var offsets = new List<ulong>();
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        await foreach (var run in stream.ReadRunsAsync<TickBufferedMessage>(cancellationToken: deadline.Token))
        {
            offsets.Add(run.Offset.Major);
            if (offsets.Count == 2)
            {
                break;
            }
        }

        Assert.Equal([2, 3], offsets);
    }

    [Fact]
    public async Task A_loop_that_retention_overtakes_ends_and_the_next_one_goes_on()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 50);
        await ForwardAsync(source);
        var stream = new FakeStream();
        stream.AppendAll(_stream.Entries.Take(3));

        // The loop has read two runs when retention deletes them and the one after them.
        StreamOffset last = default;
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var failure = await Assert.ThrowsAsync<IOException>(async () =>
        {
            await foreach (var run in RunReading.ReadAsync<TickBufferedMessage>(stream, StreamStart.Earliest, TimeSpan.FromMilliseconds(50), deadline.Token))
            {
                last = run.Offset;
                if (last == new StreamOffset(2))
                {
                    stream.AppendAndTruncate(_stream.Entries.Skip(3), deleted: 4);
                }
            }
        });

        Assert.Contains("begin at offset 4.", failure.Message, StringComparison.Ordinal);
        await foreach (var run in stream.ReadRunsAsync<TickBufferedMessage>(StreamStart.At(last), deadline.Token))
        {
            Assert.Equal(new StreamOffset(4), run.Offset);
            break;
        }
    }

    // A loop that begins at the last run of the other queue steps over the run that was dropped.
    [Fact]
    public async Task The_exception_for_missing_messages_names_the_last_run_of_their_queue()
    {
        var stream = await ForwardTwoAsync(0, 1, 3, 4, 5);
        var offsets = new List<ulong>();
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var failure = await Assert.ThrowsAsync<IOException>(async () =>
        {
            await foreach (var run in RunReading.ReadAsync<TickBufferedMessage>(stream, StreamStart.Earliest, TimeSpan.FromSeconds(2), deadline.Token))
            {
                offsets.Add(run.Offset.Major);
            }
        });

        Assert.Equal([1, 4], offsets);
        Assert.Contains("Begin again at offset 1:", failure.Message, StringComparison.Ordinal);
        Assert.Contains("If their forwarder is connected and the messages are missing again", failure.Message, StringComparison.Ordinal);
        Assert.Contains("begin at offset 2.", failure.Message, StringComparison.Ordinal);
        stream.Truncate(2);
        await foreach (var run in stream.ReadRunsAsync<TickBufferedMessage>(StreamStart.At(new StreamOffset(1)), deadline.Token))
        {
            offsets.Add(run.Offset.Major);
            if (offsets.Count == 4)
            {
                break;
            }
        }

        Assert.Equal([1, 4, 2, 4], offsets);
    }

    [Fact]
    public async Task The_time_in_which_a_run_is_handled_does_not_count_for_missing_messages()
    {
        var timeout = TimeSpan.FromSeconds(2);
        var stream = await ForwardTwoAsync(0, 1, 3, 4, 5, 2, 3);
        var offsets = new List<ulong>();
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        await foreach (var run in RunReading.ReadAsync<TickBufferedMessage>(stream, StreamStart.Earliest, timeout, deadline.Token))
        {
            offsets.Add(run.Offset.Major);
            if (offsets.Count == 2)
            {
                await Task.Delay(2 * timeout);
            }
            else if (offsets.Count == 4)
            {
                break;
            }
        }

        Assert.Equal([1, 4, 5, 6], offsets);
    }

    [Fact]
    public async Task Another_type_than_the_stream_holds_is_refused()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 1);
        await ForwardAsync(source);
        await Assert.ThrowsAsync<SchemaMismatchException>(async () =>
        {
            await foreach (var run in _stream.ReadRunsAsync<OtherTickBufferedMessage>())
            {
                Assert.Fail($"A run at {run.Offset}.");
            }
        });
    }

    [Fact]
    public async Task A_run_that_is_used_after_its_turn_throws()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 20);
        await ForwardAsync(source);
        ReceivedRun<TickBufferedMessage>? kept = null;
        await foreach (var run in _stream.ReadRunsAsync<TickBufferedMessage>())
        {
            kept = run;
            break;
        }

        Assert.Throws<ObjectDisposedException>(() => kept!.GetEnumerator());
    }

    [Fact]
    public void A_run_without_a_header_says_so()
    {
        Assert.False(MessageRun.TryParse(new MessageStreamEntry(default, new byte[8], default), out var refused));
        foreach (var run in new[] { default, refused })
        {
            Assert.Throws<InvalidOperationException>(() => run.QueueId);
            Assert.Throws<InvalidOperationException>(() => run.Epoch);
            Assert.Throws<InvalidOperationException>(() => run.FromEpoch);
            Assert.Throws<InvalidOperationException>(() => run.From);
            Assert.Throws<InvalidOperationException>(() => run.To);
            Assert.Throws<InvalidOperationException>(() => run.Count);
            Assert.True(run.Body.IsEmpty);
        }

        Assert.Throws<InvalidOperationException>(static () => default(ReceivedMessage<RawMessage>).Id);
        Assert.True(default(ReceivedMessage<RawMessage>).Message.Bytes.IsEmpty);
        Assert.True(default(ReceivedMessage<RawMessage>).Properties.IsEmpty);
        Assert.Throws<InvalidOperationException>(static () => default(RunEnumerator<RawMessage>).MoveNext());
    }

    // The entries 0 to 3 are the schema and the runs of one queue, 4 and 5 those of another.
    private async Task<FakeStream> ForwardTwoAsync(params int[] numbers)
    {
        using var first = _directory.Open("first");
        using var second = _directory.Open("second");
        Publish(first, 0, 30);
        await ForwardAsync(first);
        Publish(second, 100, 10);
        await ForwardAsync(second);
        var stream = new FakeStream();
        stream.AppendAll(numbers.Select(number => _stream.Entries[number]));

        return stream;
    }

    private async Task ForwardAsync(MessageQueue source)
    {
        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { BatchMessages = 10 });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "all are confirmed");
    }
}
