using System.Collections.Immutable;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>
/// Sends the replies of a type to the clients of all queues. The channel to a client is opened with the first reply to it, and then the channels to dead clients are closed. The desk does not wait for
/// a client that is gone or does not read. Thread-safe.
/// </summary>
internal sealed class ReplyDesk<TReply>(IServiceProvider services) : IDisposable
    where TReply : IBufferedMessageSource<TReply>
{
    private readonly Lock _gate = new();
    private readonly ILogger _logger = ServiceQueue.LoggerOf(services);
    private ImmutableArray<ReplyChannel<TReply>> _channels = [];
    private bool _isDisposed;

    /// <summary>Sends a reply to the client of a request. Drops it if the client is gone, does not read, or has no address.</summary>
    /// <param name="reply">The reply.</param>
    /// <param name="queueName">The name of the queue of requests among the services.</param>
    /// <param name="request">The properties of the request.</param>
    /// <exception cref="MessageTooLargeException">The reply is larger than the client accepts.</exception>
    /// <exception cref="SchemaMismatchException">The client expects replies of another type.</exception>
    /// <exception cref="ArgumentException">The reply holds a value without a form in a message.</exception>
    /// <exception cref="IOException">The queue of the client cannot be opened now, for example because of too many open files.</exception>
    public void Send(TReply reply, string queueName, DeliveryProperties request)
    {
        ArgumentNullException.ThrowIfNull(reply);
        if (!TryFind(queueName, request.ReplyTo, out var channel))
        {
            Drop(queueName, request);
            return;
        }

        try
        {
            var wasFull = channel.IsFull;
            if (!channel.TrySend(reply, request.CorrelationId))
            {
                DropFull(channel, isFirst: !wasFull);
            }
        }
        catch (Exception exception) when (ReplyFolder.IsLoss(exception))
        {
            DropLost(channel, exception);
        }
    }

    /// <summary>Notifies the client of a request that the responder failed.</summary>
    /// <returns>False if it cannot be notified.</returns>
    public bool TryRefuse(string queueName, DeliveryProperties request, string type, string reason)
    {
        if (!TryFind(queueName, request.ReplyTo, out var channel))
        {
            return false;
        }

        try
        {
            return channel.TryRefuse(request.CorrelationId, type, reason);
        }
        catch (Exception exception) when (ReplyFolder.IsLoss(exception) || exception is MessageTooLargeException)
        {
            DropLost(channel, exception);
            return false;
        }
    }

    public void NoteExpired(string queueName) => RequestMetrics.CountExpired(LabelOf(queueName));

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (var channel in _channels)
            {
                channel.Dispose();
            }

            _channels = [];
        }
    }

    private MessageQueue QueueOf(string queueName) => services.GetRequiredKeyedService<MessageQueue>(queueName);

    private string LabelOf(string queueName) => Path.GetFileName(QueueOf(queueName).Path);

    private bool TryFind(string queueName, BufferedString address, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out ReplyChannel<TReply>? channel)
    {
        foreach (var known in _channels)
        {
            if (known.Leads(queueName, address.Utf8))
            {
                channel = known;
                return true;
            }
        }

        channel = ReplyFolder.IsName(address.Utf8) ? Open(queueName, Encoding.ASCII.GetString(address.Utf8)) : null;
        return channel is not null;
    }

    // Null if the client is gone.
    private ReplyChannel<TReply>? Open(string queueName, string name)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_channels.FirstOrDefault(known => known.QueueName == queueName && known.Name == name) is { } opened)
            {
                return opened;
            }

            Close(_channels.Where(static known => !ReplyFolder.HasClient(known.Path)));
            var requests = QueueOf(queueName);
            ReplyFolder.Sweep(requests.Path);
            var path = Path.Combine(ReplyFolder.Of(requests.Path), name);
            try
            {
                if (!MessageQueue.Exists(path))
                {
                    return null;
                }

                var channel = new ReplyChannel<TReply>(queueName, name, ReplyFolder.Open(path, requests));
                _channels = _channels.Add(channel);
                return channel;
            }
            catch (Exception exception) when (ReplyFolder.IsLoss(exception))
            {
                _logger.ReplyQueueLost(exception, queueName, name);
                return null;
            }
        }
    }

    private void Close(IEnumerable<ReplyChannel<TReply>> channels)
    {
        foreach (var channel in channels.ToList())
        {
            _channels = _channels.Remove(channel);
            channel.Dispose();
        }
    }

    private void Drop(string queueName, DeliveryProperties request)
    {
        // A message that asks for no reply is not a loss.
        if (!request.ReplyTo.IsNull)
        {
            RequestMetrics.CountDropped(LabelOf(queueName));
        }
    }

    // A dead client leaves a full queue, as one that is stopped does.
    private void DropFull(ReplyChannel<TReply> channel, bool isFirst)
    {
        RequestMetrics.CountDropped(LabelOf(channel.QueueName));
        if (!isFirst)
        {
            return;
        }

        _logger.ReplyQueueFull(channel.QueueName, channel.Name);
        if (!ReplyFolder.HasClient(channel.Path))
        {
            lock (_gate)
            {
                Close([channel]);
            }

            ReplyFolder.Delete(channel.Path);
        }
    }

    private void DropLost(ReplyChannel<TReply> channel, Exception exception)
    {
        RequestMetrics.CountDropped(LabelOf(channel.QueueName));
        _logger.ReplyQueueLost(exception, channel.QueueName, channel.Name);
        lock (_gate)
        {
            Close([channel]);
        }
    }
}
