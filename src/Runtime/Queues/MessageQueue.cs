using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <summary>
/// A queue in a directory: producers write messages into mapped segments, and named consumers in any processes read them there. What is
/// published survives the death of every process, and each name's position does too. A name is either exclusive, and its one consumer sees
/// every message, or a group, whose members share the messages.
/// Safe for all threads; the producers and consumers it opens each serve one thread at a time.
/// </summary>
public sealed partial class MessageQueue : IDisposable
{
    private const int ReadOnlyFileSystem = 30;

    private readonly ControlFile _control;
    private int _disposed;

    private MessageQueue(ControlFile control) => _control = control;

    /// <summary>The full path of the queue's directory.</summary>
    public string Directory => _control.Directory;

    /// <summary>Durable or bounded.</summary>
    public QueueMode Mode => _control.Mode;

    /// <summary>Bytes of a segment.</summary>
    public long SegmentBytes => _control.SegmentBytes;

    /// <summary>Opens the queue in a directory, and creates both when they do not exist. Of many creators one wins, and all get the same queue.</summary>
    /// <param name="directory">
    /// On a local file system: the queue needs its file locks and mappings. When <paramref name="options"/> asks for a bounded queue, a name
    /// without a directory separator means the directory <c>bufferedmessages-name</c> in /dev/shm, or in the temp directory where there is none.
    /// </param>
    /// <param name="options">How to create it; null for the defaults.</param>
    /// <exception cref="ArgumentException">
    /// The queue exists and was created with other options than <paramref name="options"/> asks for, or they contradict each other. Nothing was changed.
    /// </exception>
    /// <exception cref="QueueCorruptedException">What is there is not a queue, or is damaged. Nothing was changed.</exception>
    /// <exception cref="DiskFullException">There is no room for the control file.</exception>
    /// <exception cref="NotSupportedException">The file system has no working file locks, or a later version made the queue.</exception>
    /// <exception cref="UnauthorizedAccessException">The directory cannot be written to.</exception>
    public static MessageQueue Open(string directory, MessageQueueOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(directory);
        options ??= new MessageQueueOptions();
        directory = QueueLocation.Resolve(directory, options.Mode);
        try
        {
            return new MessageQueue(ControlFile.OpenOrCreate(directory, options));
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException { HResult: ReadOnlyFileSystem })
        {
            throw new UnauthorizedAccessException(
                $"The queue in '{directory}' cannot be written to. A queue needs a directory and files that it may write, also to be read: consumers keep their positions there.",
                exception);
        }
    }

    /// <summary>Opens a producer of messages. What a dead producer left unfinished is skipped.</summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <exception cref="QueueInUseException">The queue is for one producer, and that one is alive.</exception>
    /// <exception cref="InvalidOperationException">The queue has no room for another participant.</exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or something else. Nothing was changed.</exception>
    /// <exception cref="DiskFullException">There is no room for the first segment.</exception>
    /// <exception cref="QueueCorruptedException">The last segment is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageProducer<TSource> OpenProducer<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => new(OpenWriter(QueueContent.Messages(TSource.Schema)));

    /// <summary>Opens a producer of raw bytes, for any serializer.</summary>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public QueueProducer OpenProducer() => new(OpenWriter(QueueContent.Raw));

    /// <summary>Opens a producer of unmanaged values, which are published as they are in memory.</summary>
    /// <typeparam name="T">Its size and its fields, with their names, must be the same on all sides.</typeparam>
    /// <inheritdoc cref="OpenProducer{TSource}" path="/exception"/>
    public ValueProducer<T> OpenValueProducer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>()
        where T : unmanaged
        => new(OpenWriter(QueueContent.Values<T>()));

    /// <summary>Opens the consumer of a name. It sees every message from the name's position on.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="name">1 to 116 bytes in UTF-8. The name's position is kept in the queue, and survives restarts and crashes.</param>
    /// <param name="start">Where a new name begins; by default at the earliest message.</param>
    /// <exception cref="QueueInUseException">The name has a live consumer.</exception>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or something else. Nothing was changed.</exception>
    /// <exception cref="ArgumentException">The name is empty or too long.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">The queue has no room for another name.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageConsumer<TView> OpenConsumer<TView>(string name, QueueStart start = default)
        where TView : IBufferedMessage<TView>, allows ref struct
        => new(OpenReader(name, start, QueueContent.Messages(TView.Schema)));

    /// <summary>Opens the consumer of a name for raw bytes. It reads every queue, also one of messages or values, for inspection.</summary>
    /// <inheritdoc cref="OpenConsumer{TView}" path="/param"/>
    /// <inheritdoc cref="OpenConsumer{TView}" path="/exception"/>
    public QueueConsumer OpenConsumer(string name, QueueStart start = default) => new(OpenReader(name, start, content: null));

    /// <summary>Opens the consumer of a name for unmanaged values.</summary>
    /// <typeparam name="T">Its size and its fields, with their names, must be the producer's.</typeparam>
    /// <inheritdoc cref="OpenConsumer{TView}" path="/param"/>
    /// <inheritdoc cref="OpenConsumer{TView}" path="/exception"/>
    public ValueConsumer<T> OpenValueConsumer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>(
        string name, QueueStart start = default)
        where T : unmanaged
        => new(OpenReader(name, start, QueueContent.Values<T>()));

    /// <summary>
    /// Opens a member of a group. All members of a name together see every message once; when one dies, another gets the message it had
    /// and not committed, with <see cref="MessageLease{TView}.IsRedelivery"/>: one that reads, or one that opens, as its first message.
    /// </summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="name">1 to 116 bytes in UTF-8. Any number of members, in any processes, open the same name.</param>
    /// <param name="start">Where a new name begins; by default at the earliest message.</param>
    /// <exception cref="SchemaMismatchException">The queue holds messages of another schema, or something else. Nothing was changed.</exception>
    /// <exception cref="ArgumentException">The name is empty or too long.</exception>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">The name is not a group's, or the queue has no room for another name or member.</exception>
    /// <exception cref="QueueCorruptedException">The control file is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public MessageConsumer<TView> OpenGroupConsumer<TView>(string name, QueueStart start = default)
        where TView : IBufferedMessage<TView>, allows ref struct
        => new(OpenMember(name, start, QueueContent.Messages(TView.Schema)));

    /// <summary>Opens a member of a group for raw bytes. It reads every queue, also one of messages or values.</summary>
    /// <inheritdoc cref="OpenGroupConsumer{TView}" path="/param"/>
    /// <inheritdoc cref="OpenGroupConsumer{TView}" path="/exception"/>
    public QueueConsumer OpenGroupConsumer(string name, QueueStart start = default) => new(OpenMember(name, start, content: null));

    /// <summary>Opens a member of a group for unmanaged values.</summary>
    /// <typeparam name="T">Its size and its fields, with their names, must be the producer's.</typeparam>
    /// <inheritdoc cref="OpenGroupConsumer{TView}" path="/param"/>
    /// <inheritdoc cref="OpenGroupConsumer{TView}" path="/exception"/>
    public ValueConsumer<T> OpenGroupValueConsumer<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>(
        string name, QueueStart start = default)
        where T : unmanaged
        => new(OpenMember(name, start, QueueContent.Values<T>()));

    /// <summary>Forgets a consumer name and its position. In a bounded queue producers do not wait for it any more.</summary>
    /// <returns>False when there is no such name.</returns>
    /// <exception cref="QueueInUseException">A consumer of this name is alive.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public bool DeleteConsumer(string name)
    {
        Cursors.RequireName(name);
        return Use(control =>
        {
            using var registrar = Registrar.Acquire(control);
            var isDeleted = new Participants(control).DeleteName(name);
            WakeSignal.ForSpace(control).WakeAll();
            return isDeleted;
        });
    }

    /// <summary>
    /// Reads what the queue is doing: positions, and who takes part. It disturbs nobody at work; a participant that opens at the same time
    /// may wait for some microseconds. Any process may ask, also one that takes no part.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The control file or the last segment is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public QueueStatistics GetStatistics() => Use(control => new StatisticsReader(control).Read());

    /// <summary>Closes this handle. Producers and consumers that were opened from it stay open.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _control.Release();
        }
    }

    private LogWriter OpenWriter(QueueContent content) => Join(() =>
    {
        content.Settle(_control);
        return new Participants(_control).SeatProducer();
    }, seat => LogWriter.Open(_control, seat));

    private LogReader OpenReader(string name, QueueStart start, QueueContent? content)
    {
        Cursors.RequireName(name);
        return Join(() =>
        {
            content?.Settle(_control);
            return new Participants(_control).SeatConsumer(name, start);
        }, LogReader (seat) => new CursorReader(_control, seat));
    }

    private LogReader OpenMember(string name, QueueStart start, QueueContent? content)
    {
        Cursors.RequireName(name);
        return Join(() =>
        {
            content?.Settle(_control);
            return new Participants(_control).SeatMember(name, start);
        }, LogReader (seat) => new GroupReader(_control, seat));
    }

    private void AddUse() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0 || !_control.TryAddReference(), this);

    private TResult Use<TResult>(Func<ControlFile, TResult> action)
    {
        AddUse();
        try
        {
            return action(_control);
        }
        finally
        {
            _control.Release();
        }
    }

    private TParticipant Join<TParticipant>(Func<Seat> takeSeat, Func<Seat, TParticipant> open)
        where TParticipant : Participant
    {
        AddUse();
        Seat? seat = null;
        try
        {
            // Registers the process with the kernel, if that is how it fences, before its first record or commit. That takes ten milliseconds and
            // more: not while others wait.
            ProcessFence.Frequent();
            TParticipant participant;
            using (Registrar.Acquire(_control))
            {
                seat = takeSeat();
                participant = open(seat);
            }

            // The first instrument of a process takes some ten milliseconds: not while others wait.
            QueueMetrics.Add(participant);
            return participant;
        }
        catch
        {
            if (seat is not null)
            {
                new Participants(_control).Leave(seat);
            }

            _control.Release();
            throw;
        }
    }
}
