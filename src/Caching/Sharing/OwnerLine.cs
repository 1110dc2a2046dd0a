using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The connection of a process to one queue of the owner, and the queue of its answers. Thread-safe.</summary>
internal sealed class OwnerLine : IDisposable
{
    private const string Consumer = "asker";

    // Larger keys and values go through a file.
    private const int MaxInlineBytes = 128 * 1024;

    // The interval of checks in milliseconds.
    private const long LookMilliseconds = 50;

    /// <summary>How often a wait checks whether it is still needed.</summary>
    public static readonly TimeSpan Look = TimeSpan.FromMilliseconds(LookMilliseconds);

    private readonly CacheControl _control;
    private readonly string _directory;
    private readonly FilePermissions _permissions;
    private readonly Guid _owner;
    private readonly Guid _answers = Guid.NewGuid();
    private readonly FileLease _lease;
    private readonly MessageQueue _answerQueue;
    private readonly MessageConsumer<RawMessage> _consumer;
    private readonly MessageQueue _changes;
    private readonly MessageProducer _producer;
    private readonly Dictionary<long, PendingChange> _pending = [];
    private readonly Thread _thread;
    private long _number;
    private volatile bool _isBroken;

    private OwnerLine(CacheControl control, Guid owner)
    {
        _control = control;
        _directory = control.Directory;
        _owner = owner;
        _permissions = control.Permissions;

        // An owner that deletes the files of dead processes may have taken the new file for one of them before it was locked.
        _lease = FileLease.TryAcquireVerified(SharingFiles.AnswersLease(_directory, _answers), _permissions) ?? throw new InvalidOperationException("The new file of a lease was deleted or locked.");
        try
        {
            _changes = MessageQueue.OpenExisting(SharingFiles.Changes(_directory, owner));
            _answerQueue = MessageQueue.Open(SharingFiles.Answers(_directory, _answers), SharingFiles.AnswersOptions(_permissions));
            _consumer = _answerQueue.OpenConsumer<RawMessage>(Consumer, new ConsumerOptions { Start = QueueStart.Earliest });
            _producer = _changes.OpenProducer();
            _thread = new Thread(ReadAnswers) { IsBackground = true, Name = "MessageCache answers" };
            _thread.Start();
        }
        catch
        {
            _producer?.Dispose();
            _consumer?.Dispose();
            _answerQueue?.Dispose();
            _changes?.Dispose();
            DeleteAnswers();
            throw;
        }
    }

    /// <summary>Gets whether the owner still reads the queue, as far as this process knows.</summary>
    public bool IsCurrent => !_isBroken && SharingFiles.ReadOwner(_directory).Queue == _owner;

    /// <summary>Opens the connection to the owner's queue; null when there is no such queue now.</summary>
    /// <exception cref="DiskFullException">The disk has no room for the queue of the answers.</exception>
    /// <exception cref="NewerOwnerException">The owner takes other changes than this program knows.</exception>
    public static OwnerLine? TryOpen(CacheControl control)
    {
        var note = SharingFiles.ReadOwner(control.Directory);
        if (note == default)
        {
            return null;
        }

        if (!note.IsKnown)
        {
            throw new NewerOwnerException(CacheFiles.Owner(control.Directory), note);
        }

        try
        {
            return new OwnerLine(control, note.Queue);
        }
        catch (IOException exception) when (exception is not DiskFullException && MappedFile.IsOutOfSpace(exception))
        {
            throw new DiskFullException(CacheFiles.Sharing(control.Directory), 0, exception);
        }
        catch (Exception exception) when (exception is not DiskFullException && AnswerLines.IsOfQueue(exception))
        {
            return null;
        }
    }

    /// <summary>Begins a change, to be sent and awaited.</summary>
    /// <param name="head">The change; the names and the number are set here.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <returns>Null when the line was given up.</returns>
    /// <exception cref="DiskFullException">The disk has no room for the change.</exception>
    public PendingChange? TryBegin(ref ChangeHead head, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        head.Answers = _answers;
        head.Number = Interlocked.Increment(ref _number);
        head.ValueBytes = value.Length;
        head.KeyBytes = key.Length;
        var isInFile = key.Length + value.Length > MaxInlineBytes;
        try
        {
            (head.ContentFile, head.KeyCheck, head.ValueCheck) = isInFile ? (WriteFile(key, value), XxHash64.Hash(key), XxHash64.Hash(value)) : default;
        }
        catch (Exception exception) when (exception is not DiskFullException && AnswerLines.IsOfQueue(exception))
        {
            GiveUp();
            return null;
        }

        var change = isInFile
            ? new PendingChange(this, in head, SharingFiles.Content(_directory, _answers, head.ContentFile), default, default)
            : new PendingChange(this, in head, contentFile: null, key, value);
        lock (_pending)
        {
            _pending.Add(head.Number, change);
            if (_isBroken)
            {
                change.Answer(null);
            }
        }

        return change;
    }

    /// <summary>Sends a change if there is room in time.</summary>
    /// <exception cref="DiskFullException">The disk has no room for the change.</exception>
    public bool TryPublish(ReadOnlySpan<byte> bytes, TimeSpan timeout)
    {
        if (!Monitor.TryEnter(_producer, timeout))
        {
            return false;
        }

        try
        {
            return _producer.TryPublish(bytes, out _, timeout);
        }
        catch (Exception exception) when (exception is not DiskFullException && AnswerLines.IsOfQueue(exception))
        {
            GiveUp();
            return false;
        }
        finally
        {
            Monitor.Exit(_producer);
        }
    }

    /// <summary>Forgets a change whose answer is no longer awaited.</summary>
    public void Forget(long number)
    {
        lock (_pending)
        {
            _pending.Remove(number);
        }
    }

    /// <summary>Closes the line. Changes that wait are given up.</summary>
    public void Dispose()
    {
        GiveUp();
        _thread.Join();
        _consumer.Dispose();
        lock (_producer)
        {
            _producer.Dispose();
        }

        _changes.Dispose();
        _answerQueue.Dispose();
        DeleteAnswers();
    }

    private Guid WriteFile(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        var name = Guid.NewGuid();
        var path = SharingFiles.Content(_directory, _answers, name);
        var bytes = (long)key.Length + value.Length;
        try
        {
            using var file = _permissions.CreateFile(path, FileShare.None, bytes);
            file.Write(key);
            file.Write(value);
            return name;
        }
        catch (IOException exception)
        {
            CacheFiles.TryDelete(path);
            throw MappedFile.IsDiskFull(exception) ? new DiskFullException(path, bytes, exception) : exception;
        }
    }

    private void ReadAnswers()
    {
        try
        {
            var nextLook = Environment.TickCount64 + LookMilliseconds;
            while (!_isBroken)
            {
                if (_consumer.TryRead(out var delivery, Look))
                {
                    using (delivery)
                    {
                        Take(delivery.Message.Bytes);
                        delivery.Commit();
                    }
                }

                if (Environment.TickCount64 >= nextLook)
                {
                    nextLook = Environment.TickCount64 + LookMilliseconds;
                    if (IsAnyPending && (HasNoQueue || !IsCurrent))
                    {
                        break;
                    }
                }
            }
        }
        catch (Exception)
        {
            // Another line begins with other files. The system may later have even the memory or thread that it lacks now.
        }

        GiveUp();
    }

    private void Take(ReadOnlySpan<byte> bytes)
    {
        if (!ChangeAnswer.TryRead(bytes, out var answer))
        {
            // Its change is sent again through another line.
            GiveUp();
            return;
        }

        lock (_pending)
        {
            if (_pending.TryGetValue(answer.Number, out var pending))
            {
                pending.Answer(answer);
            }
        }
    }

    private bool IsAnyPending
    {
        get
        {
            lock (_pending)
            {
                return _pending.Count != 0;
            }
        }
    }

    // Then the changes that were sent are not answered, though the owner has announced no other queue.
    private bool HasNoQueue => Volatile.Read(ref _control.Header.QueueFailure) != 0;

    private void GiveUp()
    {
        _isBroken = true;
        lock (_pending)
        {
            foreach (var change in _pending.Values)
            {
                change.Answer(null);
            }
        }
    }

    private void DeleteAnswers()
    {
        _lease.Dispose();
        SharingFiles.TryDeleteAnswers(SharingFiles.AnswersLease(_directory, _answers), _permissions);
    }
}
