using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <summary>
/// A queue in a directory. Producers write messages to mapped segments, and named consumers in any processes read them there. Published messages
/// and the cursors of names survive the death of every process. A name is either exclusive, with one consumer that sees every message, or a
/// group, whose members share the messages.
/// Thread-safe; the producers and consumers that it opens each serve one thread at a time.
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

    /// <summary>Gets the unique id of the queue. A queue that is created later at the same path has another one.</summary>
    public Guid Id => _handle.Control.Id;

    /// <summary>Whether the queue is for one producer at a time, or for many.</summary>
    internal ProducerMode ProducerMode => _handle.Control.Producers;

    /// <summary>The size of a segment in bytes.</summary>
    internal long SegmentBytes => _handle.Control.SegmentBytes;

    /// <summary>
    /// Gets the epoch, which begins at 1. The repair after a crash of the machine may cut off the end of the queue, and new messages get the positions of those that
    /// were cut off; it therefore begins another epoch. See <see cref="MessageId"/>.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long Epoch => Use(static handle => handle.Control.Epoch);

    /// <summary>
    /// Gets the schemas of the queue's messages, the oldest first. A version of the type has its own schema if it added members to the earlier versions.
    /// Empty while the content is undecided, and in a queue of raw bytes or values.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The stored text is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public IReadOnlyList<MessageSchema> Schemas => Use(static handle => StoredContent.SchemasOf(handle.Control));

    /// <summary>Opens the queue in a directory, and creates both if they do not exist. If several callers create it at the same time, one of them wins and all get the same queue.</summary>
    /// <param name="path">
    /// The directory, on a local file system: the queue needs its file locks and mappings. A bare name without a separator is refused, since it could also
    /// mean a queue in shared memory; open that with <see cref="OpenShared"/>.
    /// </param>
    /// <param name="options">The options for creating it; null for the defaults, which create a durable queue.</param>
    /// <exception cref="ArgumentException">
    /// The path is a bare name; or the queue exists and was created with other options than <paramref name="options"/> asks for; or these options contradict
    /// each other. Nothing was changed.
    /// </exception>
    /// <exception cref="QueueCorruptedException">The file found there does not belong to a queue, or is damaged. Nothing was changed.</exception>
    /// <exception cref="QueueInUseException">A process has been creating the queue, or changing its tables, for 30 seconds, for example because it is suspended.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the control file, for the name of another file or folder, or for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the retention was stored.</exception>
    /// <exception cref="NotSupportedException">The file system has no working file locks, or a later version created the queue.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The directory is not writable; or it is in a folder that every user can write to, such as shared memory, and belongs to another user or is a
    /// symbolic link, and the options do not expect other users; or the user is not a member of the group. <see cref="OpenExisting"/> may still open it.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The options name a group, which cannot be set on this system.</exception>
    public static MessageQueue Open(string path, MessageQueueOptions? options = null) =>
        OpenOrCreate(QueueLocation.OfPath(path), options, QueueMode.Durable);

    /// <summary>
    /// Opens the queue of a name in the machine's shared memory, and creates it if it does not exist. It does not survive a restart of the machine. Its directory is
    /// given by <see cref="GetSharedPath"/>: /dev/shm/bufferedmessages-name, or that name in the temp directory if there is no /dev/shm.
    /// </summary>
    /// <param name="name">A name that is valid as a file name.</param>
    /// <param name="options">The options for creating it; null for the defaults, which create a bounded queue.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static MessageQueue OpenShared(string name, MessageQueueOptions? options = null) =>
        OpenOrCreate(QueueLocation.OfName(name), options, QueueMode.Bounded);

    /// <summary>
    /// Opens an existing queue without changing it. A queue that this process may not write to is opened for reading, and so is one that another user may have
    /// put there, which <see cref="Open"/> refuses. <see cref="OpenReader{TPayload}"/>, <see cref="GetStatistics"/> and the properties still work then.
    /// </summary>
    /// <param name="path">The directory, as for <see cref="Open"/>; for a name in shared memory the result of <see cref="GetSharedPath"/>.</param>
    /// <exception cref="FileNotFoundException">There is no queue.</exception>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    /// <exception cref="QueueCorruptedException">The file found there does not belong to a queue, or is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version created the queue.</exception>
    /// <exception cref="UnauthorizedAccessException">The process is not permitted to read the queue.</exception>
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
    /// Opens an existing queue for reading, even if the process may write to it. <see cref="OpenReader{TPayload}"/>, <see cref="GetStatistics"/> and the properties
    /// work; everything that changes the queue throws an <see cref="UnauthorizedAccessException"/>. No file is opened for writing, and no byte of the directory changes.
    /// </summary>
    /// <param name="path">As for <see cref="OpenExisting"/>.</param>
    /// <inheritdoc cref="OpenExisting" path="/exception"/>
    public static MessageQueue OpenReadOnly(string path) => new(QueueHandle.Open(QueueLocation.OfPath(path), FileAccess.Read));

    /// <summary>Deletes a queue with all its messages. If the directory holds other files, they and the directory stay. If a process dies during a deletion, the next deletion finishes it.</summary>
    /// <param name="path">As for <see cref="OpenExisting"/>.</param>
    /// <returns>False if there is no queue.</returns>
    /// <exception cref="QueueInUseException">One of its producers or consumers is alive, or a process has been opening it for 30 seconds. Nothing was deleted.</exception>
    /// <exception cref="ArgumentException">The path is a bare name.</exception>
    /// <exception cref="UnauthorizedAccessException">The process is not permitted to delete one of its files.</exception>
    public static bool Delete(string path) => QueueDeletion.Run(QueueLocation.OfPath(path));

    /// <summary>Opens a producer of messages. A dead producer's unfinished record is skipped.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="options">The properties that the producer adds to each message, and how it waits; null for the defaults.</param>
    /// <exception cref="QueueInUseException">
    /// The queue is for one producer, and its producer is alive; or a process has been changing the queue's tables for 30 seconds, for example because it is suspended.
    /// </exception>
    /// <exception cref="InvalidOperationException">The queue has no room for another participant.</exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content. Nothing was changed.</exception>
    /// <exception cref="NotSupportedException">The queue has no room for the text of the schema, or its file system has no working file locks. Nothing was changed.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the first segment, for the name of another file, or for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
    /// <exception cref="QueueCorruptedException">The last segment is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the content was stored.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageProducer<TSource> OpenProducer<TSource>(ProducerOptions? options = null)
        where TSource : IBufferedMessageSource<TSource>
        => new(OpenWriter(RecordContent.Messages(TSource.Schema), options));

    /// <summary>Opens a producer of raw bytes, for any serializer.</summary>
    /// <param name="options">The properties that the producer adds to each message, and how it waits; null for the defaults.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenProducer(ProducerOptions? options = null) => new(OpenWriter(RecordContent.Raw, options), check: null);

    /// <summary>
    /// Opens a producer of messages that are already bytes, such as those of another queue. Each must be a whole message of the schema. Consumers read them
    /// like any other message of the type.
    /// </summary>
    /// <param name="schema">The schema of the bytes. It is compared with that of the queue, as the schema of a type would be.</param>
    /// <param name="verify">True to verify each message before it is published. If false, the caller guarantees that the bytes are valid; reading stays safe in any case.</param>
    /// <param name="options">The properties that the producer adds to each message, and how it waits; null for the defaults.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenProducer(MessageSchema schema, bool verify = true, ProducerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return new(OpenWriter(RecordContent.Messages(schema), options), verify ? PublishCheck.Of(schema) : null);
    }

    /// <summary>Opens a producer of unmanaged values, which are published as they are in memory by <see cref="MessageProducer.Publish{T}(in T, CancellationToken)"/>.</summary>
    /// <typeparam name="T">An unmanaged type. Its size and its fields, including their names, must be the same in all programs.</typeparam>
    /// <param name="options">The properties that the producer adds to each message, and how it waits; null for the defaults.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessageProducer OpenValueProducer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>(ProducerOptions? options = null)
        where T : unmanaged
        => new(OpenWriter(RecordContent.Values<T>(), options), PublishCheck.Of<T>());

    /// <summary>Opens a publisher, which all threads can share. It opens producers as needed, and closes them when it is closed.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="options">The properties that each producer adds to its messages, and how it waits; null for the defaults.</param>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public MessagePublisher<TSource> OpenPublisher<TSource>(ProducerOptions? options = null)
        where TSource : IBufferedMessageSource<TSource>
    {
        AddUse();
        return new MessagePublisher<TSource>(new MessageQueue(_handle), options);
    }

    /// <summary>
    /// Opens a consumer of a name. An exclusive consumer sees every message from the name's cursor on. The members of a group together see every message once.
    /// If a member dies before it commits a message, another member gets that message with <see cref="Delivery{TPayload}.IsRedelivery"/>: one that
    /// reads, or one that opens, as its first message.
    /// </summary>
    /// <typeparam name="TPayload">
    /// A generated view, <see cref="RawMessage"/> for bytes, which opens every queue, or <see cref="ValueMessage{T}"/> for values.
    /// </typeparam>
    /// <param name="name">The name, of 1 to 116 bytes in UTF-8. Its cursor is stored in the queue, and survives restarts and crashes.</param>
    /// <param name="options">Whether the name is a group's, where a new name begins, and how to wait; null for an exclusive consumer that begins at the earliest message.</param>
    /// <exception cref="QueueInUseException">
    /// The name is exclusive, and has a live consumer; or a process has been changing the queue's tables, or opening the segment in which a new name begins, for 30 seconds.
    /// </exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content. Nothing was changed.</exception>
    /// <exception cref="NotSupportedException">The queue has no room for the text of the schema, or its file system has no working file locks. Nothing was changed.</exception>
    /// <exception cref="ArgumentException">The name is empty or too long, or has an unpaired surrogate; or <see cref="ConsumerOptions.MessagesPerCommit"/> is set for a group.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">
    /// The name is a group's and <see cref="ConsumerOptions.Shared"/> is not set, or vice versa; or the queue has no room for another name or member.
    /// </exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed when the name, or the content, was stored.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the name of another file, or for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
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
            participants => copy.Shared ? participants.JoinAsMember(name, copy.StartOfNew) : participants.JoinAsConsumer(name, copy.StartOfNew),
            ConsumerReader (membership) => copy.Shared ? new GroupReader(_handle, membership, copy) : new CursorReader(_handle, membership, copy),
            static reader => reader.Participant));
    }

    /// <summary>
    /// Opens a reader, which takes no part in the queue: it needs no permission to write, changes no file, and holds up no participant. Producers of a bounded queue, or retention, may overtake it.
    /// </summary>
    /// <typeparam name="TPayload">
    /// A generated view, <see cref="RawMessage"/> for bytes, which opens every queue, or <see cref="ValueMessage{T}"/> for values.
    /// </typeparam>
    /// <param name="start">Where reading begins; by default, at the earliest message.</param>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or other content.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageReader<TPayload> OpenReader<TPayload>(QueueStart start = default)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        var handle = OpenAgain();
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

    /// <summary>Deletes a consumer name and its cursor. Producers and retention no longer wait for it. If it was the only name, they keep the messages for the next one.</summary>
    /// <param name="name">The name, as for <see cref="OpenConsumer{TPayload}"/>.</param>
    /// <returns>False if there is no such name.</returns>
    /// <exception cref="ArgumentException">The name is empty or too long, or has an unpaired surrogate.</exception>
    /// <exception cref="QueueInUseException">A consumer of this name is alive; or a process has been changing the queue's tables for 30 seconds, for example because it is suspended.</exception>
    /// <exception cref="QueueCorruptedException">The control file is damaged.</exception>
    /// <exception cref="FlushFailedException">The disk failed: the name is deleted, and may be there again after a crash of the machine.</exception>
    /// <exception cref="DiskFullException">The disk has no room for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
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
                $"The queue in '{directory}' cannot be written to. A queue needs a directory and files that it may write to, even if it is only read: consumers keep their " +
                "positions there. To look at an existing queue, use OpenExisting and OpenReader.",
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
            throw new UnauthorizedAccessException($"The queue in '{Path}' is open for reading only: it was opened by OpenReadOnly, or its files may not be written to, or they may belong to another user. Use OpenReader, or get the permission to write and use Open.");
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
        where TEngine : class, IGatedOwner
    {
        AddUse();
        TEngine? engine = null;
        try
        {
            RequireWritable();
            _handle.Control.RequireFile();
            _handle.RecoverIfNeeded();
            ProcessFence.Prepare();
            QueueWatch.Prepare();
            using (MembershipLock.Acquire(_handle.Control))
            {
                // A refused participant must not leave its content in the queue: others could not open the queue with their own then.
                var match = content is null ? ContentMatch.Known : StoredContent.Require(_handle.Control, content);
                var participants = new ParticipantTable(_handle.Segments);
                var joined = join(participants);
                engine = participants.Open(joined, () => StoredContent.OpenWith(_handle.Segments, content, match, () => open(joined)));
            }

            QueueMetrics.Add(participantOf(engine));
            QueueWatch.Add(_handle, engine);
            _handle.Events.Tell();
            return engine;
        }
        catch
        {
            _handle.Events.Tell();
            if (engine is not null)
            {
                // It gives back its slot, and its use of the handle.
                engine.Dispose();
            }
            else
            {
                _handle.Release();
            }

            throw;
        }
    }
}
