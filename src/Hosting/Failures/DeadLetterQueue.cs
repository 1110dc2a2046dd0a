using System.Globalization;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>
/// The dead letters of a handler. Any program can list them, publish them again or drop them, with or without a host, whether the handler runs or not. They are a durable queue with the content of
/// the handler's queue, in its folder <c>dead/handler</c>, which readers can open by <see cref="Path"/>. Listing changes nothing, and needs no permission to write.
/// Not for several threads at a time.
/// </summary>
public sealed class DeadLetterQueue : IDisposable
{
    /// <summary>The consumer name before whose cursor all dead letters are removed.</summary>
    private const string RemovedName = "removed";

    // A flush takes less, unless the disk fails or another producer holds it up.
    private static readonly TimeSpan FlushPatience = TimeSpan.FromSeconds(1);

    private readonly MessageQueue _queue;
    private readonly string _removedPath;
    private MessageQueue? _letters;

    private DeadLetterQueue(MessageQueue queue, string handlerName)
    {
        _queue = queue;
        _removedPath = DeadLetterFolder.RemovedOf(queue.Path, handlerName);
        Path = DeadLetterFolder.Of(queue.Path, handlerName);
    }

    /// <summary>Gets the full path of the queue of the dead letters. It exists only once there was a dead letter.</summary>
    public string Path { get; }

    /// <summary>Opens the dead letters of a handler. There may be none.</summary>
    /// <param name="queuePath">The directory of the handler's queue; for a queue in shared memory, the result of <see cref="MessageQueue.GetSharedPath"/>.</param>
    /// <param name="handlerName">The name of the handler.</param>
    /// <exception cref="ArgumentException">The path or the name is not valid.</exception>
    /// <inheritdoc cref="MessageQueue.OpenReadOnly" path="/exception[not(@cref='T:System.ArgumentException')]"/>
    public static DeadLetterQueue Open(string queuePath, string handlerName)
    {
        DeadLetterFolder.RequireName(handlerName);
        return new DeadLetterQueue(MessageQueue.OpenReadOnly(queuePath), handlerName);
    }

    /// <summary>Lists the handlers of a queue that have or had dead letters, including those whose dead letters are damaged or may not be read.</summary>
    /// <param name="queuePath">As for <see cref="Open"/>.</param>
    /// <returns>Their names, in order.</returns>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    /// <exception cref="IOException">The disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder of the dead letters may not be read.</exception>
    public static IReadOnlyList<string> ListHandlers(string queuePath)
    {
        var folder = DeadLetterFolder.Of(QueueLocation.OfPath(queuePath));
        try
        {
            return [.. Directory.EnumerateDirectories(folder).Where(QueueLocation.MayBeQueue).Select(static path => System.IO.Path.GetFileName(path)).Order(StringComparer.Ordinal)];
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
    }

    /// <summary>Lists the dead letters, oldest first, without those that were published again or dropped.</summary>
    /// <param name="since">The time before which dead letters are omitted; null for all.</param>
    /// <exception cref="QueueCorruptedException">The dead letters are damaged.</exception>
    /// <exception cref="IOException">The disk failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The dead letters may not be read.</exception>
    /// <exception cref="ObjectDisposedException">The dead letters are closed.</exception>
    public IReadOnlyList<DeadLetter> List(DateTimeOffset? since = null)
    {
        if (!TryOpen(out var letters))
        {
            return [];
        }

        // The file is read first: a letter that is removed during the walk is listed, and no other one is missing.
        var removed = RemovedLetters.Read(_removedPath, letters.Permissions);
        var cursor = letters.GetStatistics().Consumers.FirstOrDefault(static consumer => consumer.Name == RemovedName)?.Position ?? 0;
        var list = new List<DeadLetter>();
        using var reader = letters.OpenReader<RawMessage>(since is { } time ? QueueStart.At(time) : QueueStart.Earliest);
        while (TryRead(reader, out var letter))
        {
            if (letter.Position >= cursor && !removed.Contains(letter.Id))
            {
                list.Add(Describe(letter));
            }
        }

        return list;
    }

    /// <summary>
    /// Publishes a dead letter in its queue again, with the same bytes, trace context and headers, and removes it. Every consumer name of the queue gets it as a new message. The
    /// <see cref="DeliveryProperties.Source"/> of the new message is the id of the first one, unless the message leaves no room for it in a segment. The call waits while the queue is full. If the
    /// process dies during the call, the dead letter may be published and still be listed.
    /// </summary>
    /// <param name="position">The <see cref="DeadLetter.Position"/> of the dead letter.</param>
    /// <returns>False if there is no such dead letter, or it is removed already.</returns>
    /// <exception cref="QueueInUseException">Another process is removing dead letters of this handler.</exception>
    /// <exception cref="SchemaMismatchException">The queue was created anew, with other content.</exception>
    /// <exception cref="MalformedMessageException">The dead letter comes from a bridge, and is not a message of the queue. Drop it.</exception>
    /// <exception cref="FlushFailedException">The disk failed: the message is published, and still listed.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the next segment of the queue.</exception>
    /// <exception cref="QueueCorruptedException">The dead letters or the queue are damaged.</exception>
    /// <exception cref="IOException">The disk is full or failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue may not be written to.</exception>
    /// <exception cref="ObjectDisposedException">The dead letters are closed.</exception>
    public bool Requeue(long position) => Remove(letter => letter == position, publishes: true) > 0;

    /// <summary>Publishes all current dead letters in their queue again, in order, as <see cref="Requeue"/> does.</summary>
    /// <returns>Their number.</returns>
    /// <inheritdoc cref="Requeue" path="/exception"/>
    public int RequeueAll() => Remove(static _ => true, publishes: true);

    /// <summary>Removes a dead letter.</summary>
    /// <param name="position">The <see cref="DeadLetter.Position"/> of the dead letter.</param>
    /// <returns>False if there is no such dead letter, or it is removed already.</returns>
    /// <exception cref="QueueInUseException">Another process is removing dead letters of this handler.</exception>
    /// <exception cref="FlushFailedException">The disk failed: after a crash of the machine it may be listed again.</exception>
    /// <exception cref="QueueCorruptedException">The dead letters are damaged.</exception>
    /// <exception cref="IOException">The disk is full or failed, or the process has too many open files.</exception>
    /// <exception cref="UnauthorizedAccessException">The dead letters may not be written to.</exception>
    /// <exception cref="ObjectDisposedException">The dead letters are closed.</exception>
    public bool Drop(long position) => Remove(letter => letter == position, publishes: false) > 0;

    /// <summary>Removes all current dead letters.</summary>
    /// <returns>Their number.</returns>
    /// <inheritdoc cref="Drop" path="/exception"/>
    public int DropAll() => Remove(static _ => true, publishes: false);

    /// <summary>Closes the dead letters. May be called more than once.</summary>
    public void Dispose()
    {
        _letters?.Dispose();
        _queue.Dispose();
    }

    /// <summary>Removes the current dead letters that are chosen by their positions, in one pass.</summary>
    /// <param name="isChosen">Whether the dead letter of a position is removed.</param>
    /// <param name="publishes">Whether it is published in its queue again first.</param>
    /// <param name="awaitRoom">Called again and again while the queue is full, and may end the removal by an exception; null to wait in the queue. Those that were published before are removed.</param>
    /// <param name="cancellationToken">Ends the wait for the disk while another producer holds it up.</param>
    /// <returns>Their number.</returns>
    internal int Remove(Func<long, bool> isChosen, bool publishes, Action? awaitRoom = null, CancellationToken cancellationToken = default)
    {
        if (!TryOpen(out _))
        {
            return 0;
        }

        // The consumer keeps other processes from removing at the same time.
        using var letters = MessageQueue.OpenExisting(Path);
        using var consumer = letters.OpenConsumer<RawMessage>(RemovedName);
        var removed = RemovedLetters.Read(_removedPath, letters.Permissions);
        using var queue = publishes ? MessageQueue.OpenExisting(_queue.Path) : null;
        using var producer = queue is null ? null : OpenProducer(queue, letters);

        // Dead letters that are added during the removal, perhaps for the same messages, stay.
        var end = letters.PublishedPosition;
        var count = 0;
        long? through = null;

        // As long as all letters up to here are removed, the cursor alone records it.
        var isFirst = true;
        var letter = default(Delivery<RawMessage>);
        try
        {
            while (consumer.TryRead(out letter, TimeSpan.Zero, CancellationToken.None) && letter.Position is var position && position < end)
            {
                var isRemoved = removed.Contains(letter.Id);
                if (!isRemoved && isChosen(position))
                {
                    if (!isFirst)
                    {
                        removed.MakeRoom();
                    }

                    if (queue is not null && producer is not null)
                    {
                        AwaitDisk(queue, Publish(producer, letter, awaitRoom), cancellationToken);
                    }

                    if (!isFirst)
                    {
                        removed.Add(letter.Id);
                    }

                    isRemoved = true;
                    count++;
                }

                isFirst &= isRemoved;
                if (isFirst)
                {
                    consumer.CommitThrough(position);
                    through = position;
                }
            }
        }
        finally
        {
            // The consumer closes when no delivery is open.
            letter.Dispose();

            // Also if a later letter fails: a crash of the machine would list the removed ones again, and they would be published twice.
            removed.Flush();
            if (through is not null)
            {
                letters.Flush();
            }
        }

        // The cursor is on the disk before the notes are gone.
        if (through is { } last)
        {
            removed.ForgetThrough(last);
        }

        return count;
    }

    // A removal deletes the segments of the dead letters that it has passed; the walk continues at the first one that is left.
    private static bool TryRead(MessageReader<RawMessage> reader, out Delivery<RawMessage> letter)
    {
        while (true)
        {
            try
            {
                return reader.TryRead(out letter);
            }
            catch (MessagesDeletedException)
            {
                reader.Seek(QueueStart.Earliest);
            }
        }
    }

    private static DeadLetter Describe(in Delivery<RawMessage> letter)
    {
        var properties = letter.Properties;
        return new DeadLetter
        {
            Position = letter.Position,
            Source = properties.Source,
            Time = properties.Time,
            PublishedAt = properties.TryGetHeader(DeadLetterHeaders.Published, out var published)
                && DateTimeOffset.TryParse(published.ToString(), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out var time) ? time : null,
            Reason = properties.Reason.ToString() ?? "",
            ExceptionType = properties.TryGetHeader(DeadLetterHeaders.ExceptionType, out var exception) ? exception.ToString() : null,
            Attempts = properties.Attempts,
            Bytes = letter.Message.Bytes.Length,
        };
    }

    private static long Publish(MessageProducer producer, in Delivery<RawMessage> letter, Action? awaitRoom)
    {
        var properties = PropertiesOf(letter);
        while (true)
        {
            try
            {
                return Publish(producer, letter.Message.Bytes, properties, awaitRoom);
            }
            catch (MessageTooLargeException) when (properties is not { Time: null, Source: null })
            {
                // It fills a segment of its queue. The trace context and the headers had room beside it when it was published first. The source is the last to go.
                properties.Source = properties.Time is null ? null : properties.Source;
                properties.Time = null;
                RequestProperties.RemoveExpiry(properties);
            }
        }
    }

    private static long Publish(MessageProducer producer, ReadOnlySpan<byte> payload, MessageProperties properties, Action? awaitRoom)
    {
        long position;
        while (!producer.TryPublish(payload, out position, awaitRoom is null ? Timeout.InfiniteTimeSpan : TimeSpan.Zero, properties))
        {
            awaitRoom?.Invoke();
        }

        return position;
    }

    // The dead letter is on the disk, and is removed only when the message in its place is there too.
    private static void AwaitDisk(MessageQueue queue, long position, CancellationToken cancellationToken)
    {
        // If the removal ended here, the dead letter would be left, and published twice.
        if (queue.IsFlushed && !queue.WaitForDurable(position, FlushPatience, CancellationToken.None))
        {
            queue.WaitForDurable(position, Timeout.InfiniteTimeSpan, cancellationToken);
        }
    }

    private static MessageProperties PropertiesOf(in Delivery<RawMessage> letter)
    {
        var properties = letter.Properties.ToProperties();
        properties.Time = DateTimeOffset.UtcNow;
        properties.Attempts = 0;
        properties.Reason = null;
        DeadLetterHeaders.Restore(properties.Headers);
        return properties;
    }

    private static MessageProducer OpenProducer(MessageQueue queue, MessageQueue letters)
    {
        var content = letters.Content;
        if (content?.Kind == ContentKind.Raw && queue.Content is { } known)
        {
            // A bridge keeps the messages of the queue as bytes, and perhaps bytes that are not a message.
            return queue.OpenCopyProducer(known, verify: true);
        }

        return content is null ? queue.OpenProducer() : queue.OpenCopyProducer(content, verify: false);
    }

    private bool TryOpen(out MessageQueue letters)
    {
        // A closed queue throws, even while there are no dead letters.
        _ = _queue.PublishedPosition;
        if (_letters?.FindLoss() is not null)
        {
            _letters.Dispose();
            _letters = null;
        }

        _letters ??= QueueLocation.MayBeQueue(Path) ? MessageQueue.OpenReadOnly(Path) : null;
        letters = _letters!;
        return _letters is not null;
    }
}
