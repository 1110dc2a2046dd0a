using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>The publisher of a receiver: it publishes the new messages of a run in the destination, which gets the content of their queue.</summary>
internal sealed class RunPublisher(MessageQueue queue, IMessageStream stream, bool verify, SourceChains chains, ReceiverCounts counts, DeadLetters deadLetters) : IDisposable
{
    private static readonly TimeSpan FirstRoomWait = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestRoomWait = TimeSpan.FromMilliseconds(50);

    // The most versions that are remembered: a hostile stream could have any number.
    private const int MostKnown = 64;

    // The versions that runs and the destination have reported, by their fingerprints. The sources of a stream may have several versions of the schema, and each reports its own only now and then.
    private readonly Dictionary<ulong, QueueContent> _known = [];
    private QueueContent? _content;
    private MessageProducer? _producer;

    /// <summary>The position of the last message that was published; 0 before the first one.</summary>
    public long LastPosition { get; private set; }

    /// <summary>Opens the destination for the messages of a run, if a run has reported their content, or the destination holds it already.</summary>
    /// <returns>False if the content of the messages is not known.</returns>
    public bool TryOpen(in MessageRun run)
    {
        if (!IsOpenFor(run) && Find(run.Fingerprint) is { } content)
        {
            Open(content);
        }

        return IsOpenFor(run);
    }

    /// <summary>Opens the destination with the content that a run reports.</summary>
    /// <exception cref="SchemaMismatchException">The destination holds other content.</exception>
    public void Learn(in MessageRun run)
    {
        if (!IsOpenFor(run))
        {
            Open(RunContent.Decode(run));
        }
    }

    /// <summary>Opens the destination with a content.</summary>
    /// <exception cref="SchemaMismatchException">The destination holds other content.</exception>
    public void Open(QueueContent content)
    {
        // If the new producer cannot be opened now, the next run of any content tries again.
        _content = null;
        _producer?.Dispose();
        _producer = queue.OpenCopyProducer(content, verify);
        _content = content;
        Note(content);
    }

    /// <summary>Publishes the messages of a run that did not come before.</summary>
    public async ValueTask PublishAsync(MessageRun run, StreamOffset offset, CancellationToken stop)
    {
        var (queueId, epoch) = (run.QueueId, run.Epoch);
        if (!RunRecord.AreWhole(run))
        {
            deadLetters.Add(run.Body.Span, new MessageId(queueId, epoch, run.FirstPosition), $"An entry of stream '{stream.Name}' is damaged: its messages cannot be told apart.", offset, stop);
            chains.Reach(queueId, run.End);
            return;
        }

        var place = chains.PlaceOf(queueId);
        try
        {
            var next = 0;
            for (var i = 0; i < run.Count; i++)
            {
                RunRecord.TryRead(run, ref next, out var record);
                var source = new MessageId(queueId, epoch, record.Position);
                if (new ChainPlace(epoch, record.Position) < place)
                {
                    counts.Duplicates++;
                    continue;
                }

                if (!TryPublish(record, source, offset, stop))
                {
                    await PublishInTimeAsync(record, source, offset, stop).ConfigureAwait(false);
                }

                place = new ChainPlace(epoch, record.Position + 1);
            }

            place = run.End;
        }
        finally
        {
            // Also the messages before a failure are not published again.
            if (place != default)
            {
                chains.Reach(queueId, place);
            }
        }
    }

    public void Dispose() => _producer?.Dispose();

    private QueueContent? Find(ulong fingerprint)
    {
        if (!_known.ContainsKey(fingerprint) && queue.Content is { } stored)
        {
            Note(stored);
        }

        return _known.GetValueOrDefault(fingerprint);
    }

    private void Note(QueueContent content)
    {
        var versions = content.Versions;
        if (_known.Count >= MostKnown && versions.Any(version => !_known.ContainsKey(version.Fingerprint)))
        {
            _known.Clear();
        }

        foreach (var version in versions)
        {
            _known[version.Fingerprint] = content with { Text = version.Text, Fingerprint = version.Fingerprint };
        }
    }

    private bool IsOpenFor(in MessageRun run) => _content?.Fingerprint == run.Fingerprint;

    private async ValueTask PublishInTimeAsync(RunRecord record, MessageId source, StreamOffset offset, CancellationToken stop)
    {
        var wait = FirstRoomWait;
        do
        {
            await Task.Delay(wait, stop).ConfigureAwait(false);
            wait = wait < LongestRoomWait ? 2 * wait : LongestRoomWait;
        }
        while (!TryPublish(record, source, offset, stop));
    }

    // A malformed message goes to the dead letters, and the chain continues.
    private bool TryPublish(in RunRecord record, in MessageId source, StreamOffset offset, CancellationToken stop)
    {
        try
        {
            if (!_producer!.TryPublishCopy(record.Payload.Span, record.Properties.Span, new CopyStamps(source), out var position))
            {
                return false;
            }

            LastPosition = position;
            counts.Received++;
            return true;
        }
        catch (MalformedMessageException exception)
        {
            deadLetters.Add(record.Payload.Span, source, exception.Message, offset, stop);
            return true;
        }
    }
}
