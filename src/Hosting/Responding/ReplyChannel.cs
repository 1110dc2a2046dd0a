using System.Text;

namespace BufferedMessages.Hosting;

/// <summary>The channel to the reply queue of one client. Thread-safe.</summary>
internal sealed class ReplyChannel<TReply> : IDisposable
    where TReply : IBufferedMessageSource<TReply>
{
    // A client that does not read holds up a worker for this long, once.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly byte[] _name;
    private readonly MessageQueue _replies;
    private MessagePublisher<TReply>? _publisher;
    private MessageProducer? _refusals;
    private bool _isFull;
    private bool _isDisposed;

    /// <param name="queueName">The name of the queue of requests among the services.</param>
    /// <param name="name">The name of the reply queue.</param>
    /// <param name="replies">The reply queue, which the channel closes.</param>
    public ReplyChannel(string queueName, string name, MessageQueue replies)
    {
        QueueName = queueName;
        Name = name;
        _name = Encoding.ASCII.GetBytes(name);
        _replies = replies;
    }

    public string QueueName { get; }

    public string Name { get; }

    public string Path => _replies.Path;

    /// <summary>Whether the last reply found no room.</summary>
    public bool IsFull => Volatile.Read(ref _isFull);

    /// <summary>Whether this is the channel to a client of a queue.</summary>
    public bool Leads(string queueName, ReadOnlySpan<byte> name) => name.SequenceEqual(_name) && queueName == QueueName;

    /// <summary>Sends a reply.</summary>
    /// <returns>False if the queue stayed full.</returns>
    /// <exception cref="SchemaMismatchException">The client expects replies of another type.</exception>
    public bool TrySend(TReply reply, BufferedString id) =>
        NoteRoom(Publisher().TryPublish(reply, out _, Volatile.Read(ref _isFull) ? TimeSpan.Zero : Patience, RequestProperties.OfReply(id)));

    /// <summary>Sends the reply that the responder failed. It has no payload, whatever the content of the queue is.</summary>
    /// <returns>False if the queue stayed full, or no client has opened it.</returns>
    public bool TryRefuse(BufferedString id, string type, string reason)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_refusals is null)
            {
                if (_replies.Content is not { } content)
                {
                    return false;
                }

                _refusals = _replies.OpenCopyProducer(content, verify: false);
            }

            return NoteRoom(_refusals.TryPublish([], out _, Volatile.Read(ref _isFull) ? TimeSpan.Zero : Patience, RequestProperties.OfFailure(id, type, reason)));
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _publisher?.Dispose();
            _refusals?.Dispose();
            _replies.Dispose();
        }
    }

    private MessagePublisher<TReply> Publisher()
    {
        if (Volatile.Read(ref _publisher) is { } publisher)
        {
            return publisher;
        }

        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _publisher ??= _replies.OpenPublisher<TReply>();
            return _publisher;
        }
    }

    private bool NoteRoom(bool hasRoom)
    {
        Volatile.Write(ref _isFull, !hasRoom);
        return hasRoom;
    }
}
