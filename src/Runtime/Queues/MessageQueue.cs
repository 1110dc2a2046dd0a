using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <summary>
/// A queue in a directory: producers write messages into mapped segments, and named consumers in any processes read them there. Published
/// messages survive the death of every process, and so does each name's cursor. A name is either exclusive, and its one consumer sees
/// every message, or a group, whose members share the messages.
/// Safe for all threads; the producers and consumers it opens each serve one thread at a time.
/// </summary>
public sealed partial class MessageQueue : IDisposable
{
    private const int ReadOnlyFileSystem = 30;

    private readonly QueueHandle _handle;
    private int _disposed;

    private MessageQueue(QueueHandle handle) => _handle = handle;

    /// <summary>Gets the full path of the queue's directory.</summary>
    public string Path => _handle.Directory;

    /// <summary>Gets whether the queue is durable or bounded.</summary>
    public QueueMode Mode => _handle.Control.Mode;

    /// <summary>Gets an id that differs from that of every other queue, also of one that is created later at the same path.</summary>
    public Guid Id => _handle.Control.Id;

    /// <summary>Whether the queue is for one producer at a time, or for many.</summary>
    internal ProducerMode ProducerMode => _handle.Control.Producers;

    /// <summary>The size of a segment in bytes.</summary>
    internal long SegmentBytes => _handle.Control.SegmentBytes;

    /// <summary>
    /// Gets the epoch, which begins at 1. The repair after a crash of the machine, which may cut off the end of the queue, begins another one, since the positions of
    /// messages that were cut are given to new ones. See <see cref="MessageId"/>.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long Epoch => Use(static handle => handle.Control.Epoch);

    /// <summary>
    /// Gets the schemas of the queue's messages, the oldest first. A version of the type has its own schema if it added members to the earlier ones.
    /// Empty while the content is undecided, and in a queue of raw bytes or values.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The stored text is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public IReadOnlyList<MessageSchema> Schemas => Use(static handle => StoredContent.SchemasOf(handle.Control));

    /// <summary>Opens the queue in a directory, and creates both if they do not exist. Of many creators one wins, and all get the same queue.</summary>
    /// <param name="path">
    /// The directory, on a local file system: the queue needs its file locks and mappings. A bare name without a separator is refused, since it could also
    /// mean a queue in shared memory, which <see cref="OpenShared"/> opens.
    /// </param>
    /// <param name="options">How to create it; null for the defaults, which make a durable queue.</param>
    /// <exception cref="ArgumentException">
    /// The path is a bare name; or the queue exists and was created with other options than <paramref name="options"/> asks for, or they contradict each
    /// other. Nothing was changed.
    /// </exception>
    /// <exception cref="QueueCorruptedException">The file found there is not a queue's, or is damaged. Nothing was changed.</exception>
    /// <exception cref="QueueInUseException">A process has been creating the queue, or changing its tables, for 30 seconds, for example one that is stopped.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the control file, or for the name of another file or folder.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the retention was stored.</exception>
    /// <exception cref="NotSupportedException">The file system has no working file locks, or a later version created the queue.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The directory cannot be written to; or it lies in a folder that every user may write to, as shared memory is, and belongs to another user or is a
    /// symbolic link, and the options do not expect other users; or the user is not a member of the group. <see cref="OpenExisting"/> may still open it.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The options have a group, which cannot be set on this system.</exception>
    public static MessageQueue Open(string path, MessageQueueOptions? options = null) =>
        OpenOrCreate(QueueLocation.OfPath(path), options, QueueMode.Durable);

    /// <summary>
    /// Opens the queue of a name in the machine's shared memory, and creates it if it does not exist. It does not survive the machine. Its directory is
    /// given by <see cref="GetSharedPath"/>: /dev/shm/bufferedmessages-name, or that name in the temp directory where there is no /dev/shm.
    /// </summary>
    /// <param name="name">A name that a file can have.</param>
    /// <param name="options">How to create it; null for the defaults, which make a bounded queue.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static MessageQueue OpenShared(string name, MessageQueueOptions? options = null) =>
        OpenOrCreate(QueueLocation.OfName(name), options, QueueMode.Bounded);

    /// <summary>
    /// Opens a queue that exists, and changes nothing by that. Without permission to write, the queue is opened for reading, and so is one that another user
    /// may have put there, which <see cref="Open"/> refuses: <see cref="OpenReader{TPayload}"/>, <see cref="GetStatistics"/> and the properties work then.
    /// </summary>
    /// <param name="path">The directory, as for <see cref="Open"/>; for a name in shared memory the result of <see cref="GetSharedPath"/>.</param>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    /// <exception cref="QueueCorruptedException">The file found there is not a queue's, or is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version created the queue.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue may not even be read.</exception>
    public static MessageQueue OpenExisting(string path)
    {
        var directory = QueueLocation.OfPath(path);
        if (QueueLocation.IsForeign(directory))
        {
            return new MessageQueue(QueueHandle.Open(directory, FileAccess.Read));
        }

        try
        {
            return new MessageQueue(QueueHandle.Open(directory));
        }
        catch (Exception exception) when (IsWriteRefused(exception))
        {
            return new MessageQueue(QueueHandle.Open(directory, FileAccess.Read));
        }
    }

    /// <summary>
    /// Opens a queue that exists for reading alone, with permission to write or without: <see cref="OpenReader{TPayload}"/>, <see cref="GetStatistics"/> and the properties
    /// work, everything that changes the queue throws an <see cref="UnauthorizedAccessException"/>. No file is opened for writing, and every byte of the directory stays as it is.
    /// </summary>
    /// <param name="path">As for <see cref="OpenExisting"/>.</param>
    /// <inheritdoc cref="OpenExisting" path="/exception"/>
    public static MessageQueue OpenReadOnly(string path) => new(QueueHandle.Open(QueueLocation.OfPath(path), FileAccess.Read));

    /// <summary>Deletes a queue with all its messages. Foreign files in the directory stay, and then the directory stays too. A deletion that a death has ended is finished by the next one.</summary>
    /// <param name="path">As for <see cref="OpenExisting"/>.</param>
    /// <returns>False if there is no queue.</returns>
    /// <exception cref="QueueInUseException">One of its producers or consumers is alive, or a process has been opening it for 30 seconds. Nothing was deleted.</exception>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    /// <exception cref="UnauthorizedAccessException">One of its files may not be deleted.</exception>
    public static bool Delete(string path) => QueueDeletion.Run(QueueLocation.OfPath(path));

    /// <summary>Opens a producer of messages. A dead producer's unfinished record is skipped.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="options">The properties that the producer gives to each message; null for none.</param>
    /// <exception cref="QueueInUseException">The queue is for one producer, and its producer is alive; or a process has been changing the queue's tables for 30 seconds, for example one that is stopped.</exception>
    /// <exception cref="InvalidOperationException">The queue has no room for another participant.</exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content. Nothing was changed.</exception>
    /// <exception cref="NotSupportedException">The queue has no room for the text of the schema, or its file system has no working file locks. Nothing was changed.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the first segment, or for the name of another file.</exception>
    /// <exception cref="QueueCorruptedException">The last segment is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the content was stored.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageProducer<TSource> OpenProducer<TSource>(ProducerOptions? options = null)
        where TSource : IBufferedMessageSource<TSource>
        => new(OpenWriter(RecordContent.Messages(TSource.Schema), options));

    /// <summary>Opens a producer of raw bytes, for any serializer.</summary>
    /// <param name="options">The properties that the producer gives to each message; null for none.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenProducer(ProducerOptions? options = null) => new(OpenWriter(RecordContent.Raw, options), check: null);

    /// <summary>
    /// Opens a producer of messages that are bytes already, for example of another queue. Each must be a whole message of the schema. Consumers read them
    /// like any other message of the type.
    /// </summary>
    /// <param name="schema">The schema of the bytes. It is compared with the queue's as that of a type is.</param>
    /// <param name="verify">Whether each message is verified before it is published. If not, the caller guarantees the bytes; reading stays safe.</param>
    /// <param name="options">The properties that the producer gives to each message; null for none.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenProducer(MessageSchema schema, bool verify = true, ProducerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return new(OpenWriter(RecordContent.Messages(schema), options), verify ? PublishCheck.Of(schema) : null);
    }

    /// <summary>Opens a producer of unmanaged values, which are published as they are in memory by <see cref="MessageProducer.Publish{T}(in T, CancellationToken)"/>.</summary>
    /// <typeparam name="T">Its size and its fields, with their names, must be the same on all sides.</typeparam>
    /// <param name="options">The properties that the producer gives to each message; null for none.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenValueProducer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>(ProducerOptions? options = null)
        where T : unmanaged
        => new(OpenWriter(RecordContent.Values<T>(), options), PublishCheck.Of<T>());

    /// <summary>Opens a publisher, which serves all threads. It opens producers as needed, and closes them with itself.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="options">The properties that the producer gives to each message; null for none.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessagePublisher<TSource> OpenPublisher<TSource>(ProducerOptions? options = null)
        where TSource : IBufferedMessageSource<TSource>
    {
        AddUse();
        return new MessagePublisher<TSource>(new MessageQueue(_handle), options);
    }

    /// <summary>
    /// Opens a consumer of a name. An exclusive one sees every message from the name's cursor on. All members of a group together see every message once.
    /// If a member dies with a message that it had not committed, another one gets the message with <see cref="Delivery{TPayload}.IsRedelivery"/>: a member
    /// that reads, or one that opens, as its first message.
    /// </summary>
    /// <typeparam name="TPayload">
    /// A generated view, <see cref="RawMessage"/> for bytes, which opens every queue, or <see cref="ValueMessage{T}"/> for values.
    /// </typeparam>
    /// <param name="name">1 to 116 bytes in UTF-8. The name's cursor is kept in the queue, and survives restarts and crashes.</param>
    /// <param name="options">Whether the name is a group's, where a new name begins, and how to wait; null for an exclusive consumer from the earliest message on.</param>
    /// <exception cref="QueueInUseException">
    /// The name is exclusive, and has a live consumer; or a process has been changing the queue's tables, or opening the segment in which a new name begins, for 30 seconds.
    /// </exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content. Nothing was changed.</exception>
    /// <exception cref="NotSupportedException">The queue has no room for the text of the schema, or its file system has no working file locks. Nothing was changed.</exception>
    /// <exception cref="ArgumentException">The name is empty or too long, or has half a surrogate pair; or <see cref="ConsumerOptions.MessagesPerCommit"/> is set for a group.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">
    /// The name is a group's and <see cref="ConsumerOptions.Shared"/> is not set, or the reverse; or the queue has no room for another name or member.
    /// </exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the name, or the content, was stored.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the name of another file.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageConsumer<TPayload> OpenConsumer<TPayload>(string name, ConsumerOptions? options = null)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        CursorNames.RequireName(name);
        var copy = (options ?? new ConsumerOptions()).Copy();
        return new MessageConsumer<TPayload>(Join(
            TPayload.Expected,
            participants => copy.Shared ? participants.JoinAsMember(name, copy.Start) : participants.JoinAsConsumer(name, copy.Start),
            ConsumerReader (membership) => copy.Shared ? new GroupReader(_handle, membership, copy) : new CursorReader(_handle, membership, copy),
            static reader => reader.Participant));
    }

    /// <summary>
    /// Opens a reader, which takes no part in the queue: it needs no permission to write, changes no file, and holds up no participant. It may be overtaken.
    /// </summary>
    /// <typeparam name="TPayload">
    /// A generated view, <see cref="RawMessage"/> for bytes, which opens every queue, or <see cref="ValueMessage{T}"/> for values.
    /// </typeparam>
    /// <param name="start">Where it begins; by default at the earliest message.</param>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageReader<TPayload> OpenReader<TPayload>(QueueStart start = default)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        if (FindLoss() is { } loss)
        {
            throw loss;
        }

        var handle = QueueHandle.Open(Path, FileAccess.Read);
        try
        {
            _handle.Control.RequireId(handle.Control);
            var engine = new ObservingReader(handle, TPayload.Expected, start);
            QueueWatch.Add(handle, engine);
            return new MessageReader<TPayload>(engine);
        }
        catch
        {
            handle.Release();
            throw;
        }
    }

    /// <summary>Deletes a consumer name with its cursor. Producers and retention do not wait for it any more; if it was the only one, they keep the messages for the next.</summary>
    /// <param name="name">The name, as for <see cref="OpenConsumer{TPayload}"/>.</param>
    /// <returns>False if there is no such name.</returns>
    /// <exception cref="ArgumentException">The name is empty or too long, or has half a surrogate pair.</exception>
    /// <exception cref="QueueInUseException">A consumer of this name is alive; or a process has been changing the queue's tables for 30 seconds, for example one that is stopped.</exception>
    /// <exception cref="QueueCorruptedException">The control file is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed: the name is deleted, and may be there again after a crash of the machine.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public bool DeleteConsumer(string name)
    {
        CursorNames.RequireName(name);
        return Use(handle =>
        {
            RequireWritable();
            handle.RecoverIfNeeded();
            bool isDeleted;
            using (MembershipLock.Acquire(handle.Control))
            {
                isDeleted = new ParticipantTable(handle.Segments).DeleteName(name);
                WakeSignal.ForSpace(handle.Control).WakeAll();
            }

            handle.Events.Tell();
            return isDeleted;
        });
    }

    /// <summary>Closes this handle. Producers and consumers that were opened from it stay open.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _handle.Release();
        }
    }

    private static MessageQueue OpenOrCreate(string directory, MessageQueueOptions? options, QueueMode defaultMode)
    {
        options ??= new MessageQueueOptions();
        QueueGeometry.RequireValid(options);
        return OpenOrCreate(directory, options, FilePermissions.Asked(options.FileMode, options.FileGroup), defaultMode);
    }

    private static MessageQueue OpenOrCreate(string directory, MessageQueueOptions options, FilePermissions permissions, QueueMode defaultMode)
    {
        ProcessFence.Prepare();
        QueueLocation.RefuseForeign(directory, permissions);
        try
        {
            return new MessageQueue(QueueHandle.OpenOrCreate(directory, options, permissions, defaultMode));
        }
        catch (Exception exception) when (IsWriteRefused(exception))
        {
            throw new UnauthorizedAccessException(
                $"The queue in '{directory}' cannot be written to. A queue needs a directory and files that it may write, also for its consumers, which keep their " +
                "positions there. To look at a queue that exists, use OpenExisting and OpenReader.",
                exception);
        }
    }

    private static bool IsWriteRefused(Exception exception) => exception is UnauthorizedAccessException or IOException { HResult: ReadOnlyFileSystem };

    private LogWriter OpenWriter(RecordContent content, ProducerOptions? options) => Join(
        content,
        static participants => participants.JoinAsProducer(),
        membership => LogWriter.Open(_handle, membership, options ?? new ProducerOptions()),
        static writer => writer.Participant);

    /// <summary>Requires a queue that was not opened for reading.</summary>
    /// <exception cref="UnauthorizedAccessException">It was.</exception>
    internal void RequireWritable()
    {
        if (_handle.Control.IsReadOnly)
        {
            throw new UnauthorizedAccessException($"The queue in '{Path}' was opened for reading: by OpenReadOnly, or since its files may not be written to, or may be another user's. Use OpenReader, or ask for the permission and use Open.");
        }
    }

    private void AddUse() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0 || !_handle.TryAddReference(), this);

    private TResult Use<TResult>(Func<QueueHandle, TResult> action)
    {
        AddUse();
        try
        {
            return action(_handle);
        }
        finally
        {
            _handle.Release();
        }
    }

    private TEngine Join<TEngine>(RecordContent? content, Func<ParticipantTable, Membership> join, Func<Membership, TEngine> open, Func<TEngine, Participant> participantOf)
        where TEngine : IGatedOwner
    {
        AddUse();
        Membership? membership = null;
        try
        {
            RequireWritable();
            _handle.Control.RequireFile();
            _handle.RecoverIfNeeded();
            ProcessFence.Prepare();
            QueueWatch.Prepare();
            TEngine engine;
            using (MembershipLock.Acquire(_handle.Control))
            {
                // A participant that is refused leaves no content in the queue, which others could not open with their own then.
                var match = content is null ? ContentMatch.Known : StoredContent.Require(_handle.Control, content);
                var participants = new ParticipantTable(_handle.Segments);
                var joined = join(participants);
                engine = participants.Open(joined, () => StoredContent.OpenWith(_handle.Segments, content, match, () => open(joined)));
                membership = joined;
            }

            QueueMetrics.Add(participantOf(engine));
            QueueWatch.Add(_handle, engine);
            _handle.Events.Tell();
            return engine;
        }
        catch
        {
            if (membership is not null)
            {
                ParticipantTable.Leave(_handle.Control, membership);
            }

            _handle.Events.Tell();
            _handle.Release();
            throw;
        }
    }
}
