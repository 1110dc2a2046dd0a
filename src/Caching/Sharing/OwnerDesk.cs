using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The thread of the owner that makes the changes of other processes, one after the other. Each owner has a new queue, and an owner whose queue was damaged gets another one. Changes in an
/// earlier queue are never made, because the processes that wait for them ask again.
/// </summary>
internal sealed class OwnerDesk : IDisposable
{
    private const string Consumer = "owner";

    // How often the announcement and the note of a failure are checked: damage in them is repaired.
    private const long LookMilliseconds = 250;

    // How long Dispose waits, at most, for a thread without a change to make.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    private readonly CacheStore _store;
    private readonly string _directory;
    private readonly FilePermissions _permissions;
    private readonly ChangeExecution _execution;
    private readonly Thread _thread;
    private bool _hasQueue;
    private volatile bool _isStopped;

    public OwnerDesk(CacheEngine engine)
    {
        _store = engine.Store;
        _directory = engine.Store.Control.Directory;
        _permissions = engine.Store.Control.Permissions;
        _execution = new ChangeExecution(engine);
        _thread = new Thread(Run) { IsBackground = true, Name = "MessageCache changes" };
        _thread.Start();
    }

    /// <summary>Stops after the change that is being made, unless that waits for a segment. The writer's lease is still held.</summary>
    public void Dispose()
    {
        _isStopped = true;
        _execution.EndWaits();
        _thread.Join();
        NoteFailure(null);
    }

    private void Run()
    {
        while (!_isStopped)
        {
            try
            {
                _hasQueue = false;
                Serve();
            }
            catch (CacheCorruptedException exception)
            {
                // The cache is lost. Its directory may be that of another one by now, whose processes must not ask this one.
                _store.Counters.QueueFailure = exception;
                return;
            }
            catch (Exception exception)
            {
                // A damaged queue is replaced at once. The next one may fail too, but the system may later have what it lacks now, even memory or a thread.
                if (!_hasQueue && !_isStopped)
                {
                    NoteFailure(exception);
                }

                Thread.Sleep(Look);
            }
        }
    }

    // For the log of this process, and for the exceptions of the others.
    private void NoteFailure(Exception? failure)
    {
        var isFull = failure is DiskFullException || (failure is IOException exception && MappedFile.IsOutOfSpace(exception));
        _store.Counters.QueueFailure = failure;
        Volatile.Write(ref _store.Control.Header.QueueFailure, isFull ? ControlHeader.NoRoom : failure?.HResult ?? 0);
    }

    private void Serve()
    {
        _store.RequireInPlace();

        // It may have been deleted.
        _permissions.CreateFolder(CacheFiles.Sharing(_directory));
        SharingFiles.DeleteLeftovers(_directory, _permissions);
        var name = Guid.NewGuid();
        var path = SharingFiles.Changes(_directory, name);
        using (var queue = MessageQueue.Open(path, SharingFiles.ChangesOptions(_permissions)))
        {
            using var consumer = queue.OpenConsumer<RawMessage>(Consumer, new ConsumerOptions { Start = QueueStart.Earliest });
            using var lines = new AnswerLines(_directory, _permissions);
            Announce(name);
            _hasQueue = true;
            NoteFailure(null);
            var nextLook = Environment.TickCount64 + LookMilliseconds;
            while (!_isStopped)
            {
                if (consumer.TryRead(out var delivery, Look))
                {
                    using (delivery)
                    {
                        Serve(delivery.Message.Bytes, lines);
                        delivery.Commit();
                    }
                }

                lines.SendWaiting();
                lines.CloseDead();
                if (Environment.TickCount64 >= nextLook)
                {
                    nextLook = Environment.TickCount64 + LookMilliseconds;
                    _store.RequireInPlace();
                    if (SharingFiles.ReadOwner(_directory) != OwnerNote.Of(name))
                    {
                        Announce(name);
                    }

                    if (Volatile.Read(ref _store.Control.Header.QueueFailure) != 0)
                    {
                        NoteFailure(null);
                    }
                }
            }
        }

        SharingFiles.TryDeleteQueue(path);
    }

    // The directory may have been made anew for another cache. Then this process makes no change in the name of its owner, and that one announces itself again.
    private void Announce(Guid name)
    {
        SharingFiles.Announce(_directory, name, _permissions);
        _store.RequireInPlace();
    }

    // Bytes that are not a change name no queue for an answer: the process that sent them asks again through another queue.
    private void Serve(ReadOnlySpan<byte> bytes, AnswerLines lines)
    {
        if (!ChangeHead.TryRead(bytes, out var head, out var key, out var value))
        {
            throw new InvalidDataException($"A message of the queue of changes in '{CacheFiles.Sharing(_directory)}' is not a change.");
        }

        lines.Answer(head.Answers, _execution.Execute(in head, key, value));
    }
}
