using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Hosting;

/// <summary>
/// The reply queue of a client, and the requests that wait for replies. One loop reads the replies, ends requests whose time is over, and looks after the responder. It runs only while requests wait, in the
/// thread pool. Thread-safe.
/// </summary>
internal sealed class ReplyInbox<TView> : IDisposable
    where TView : IQueuePayload<TView>, allows ref struct
{
    private const int MostInTurn = 1_024;

    // The precision of timeouts; and the time from the death of the last responder to the end of the requests, with the time that the system takes to release a lease.
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);

    private readonly Lock _gate = new();
    private readonly Dictionary<long, PendingRequest<TView>> _waiting = [];
    private readonly RequestClientIdentity _client;
    private readonly ResponderLook _responder;
    private readonly MessageQueue _replies;
    private readonly MessageConsumer<TView> _consumer;
    private long _lastId;
    private bool _isRunning;
    private Exception? _end;

    /// <summary>Opens a new reply queue beside a queue of requests, and deletes those of dead clients.</summary>
    public ReplyInbox(RequestClientIdentity client, MessageQueue requests)
    {
        _client = client;
        _responder = new ResponderLook(client, requests);
        ReplyFolder.Sweep(requests.Path);
        Name = ReplyFolder.NewName();
        var path = Path.Combine(ReplyFolder.Of(requests.Path), Name);
        try
        {
            _replies = requests.OpenWithin(path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = client.Options.ReplySegmentBytes });
            _replies.LeaveOutOfMetrics();
            _consumer = _replies.OpenConsumer<TView>(ReplyFolder.ClientName);
        }
        catch
        {
            _replies?.Dispose();
            ReplyFolder.Delete(path);
            throw;
        }
    }

    /// <summary>The name of the reply queue, the address of replies.</summary>
    public string Name { get; }

    /// <summary>Whether it no longer takes requests.</summary>
    public bool HasEnded => Volatile.Read(ref _end) is not null;

    /// <summary>Lets a request wait.</summary>
    /// <returns>False if the inbox has ended.</returns>
    public bool TryAdd(PendingRequest<TView> request)
    {
        lock (_gate)
        {
            if (_end is not null)
            {
                return false;
            }

            request.Id = ++_lastId;
            _waiting.Add(request.Id, request);
            if (_isRunning)
            {
                return true;
            }

            _isRunning = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static inbox => _ = inbox.RunAsync(), this, preferLocal: false);
        return true;
    }

    /// <summary>Takes a request out, to end it.</summary>
    /// <returns>False if it has ended, or is being ended.</returns>
    public bool TryTake(long id, [NotNullWhen(true)] out PendingRequest<TView>? request)
    {
        lock (_gate)
        {
            return _waiting.Remove(id, out request);
        }
    }

    /// <summary>Whether a request has not ended, and is not being ended.</summary>
    public bool IsWaiting(long id)
    {
        lock (_gate)
        {
            return _waiting.ContainsKey(id);
        }
    }

    /// <summary>Ends all requests, and deletes the reply queue.</summary>
    public void Dispose()
    {
        End(new ObjectDisposedException(nameof(RequestClient<,>), "The client was closed before the reply came."));
        _consumer.Dispose();
        _replies.Dispose();
        ReplyFolder.Delete(_replies.Path);
    }

    private async Task RunAsync()
    {
        try
        {
            _responder.Begin();
            var lastTick = Stopwatch.GetTimestamp();
            while (true)
            {
                Drain();
                var now = Stopwatch.GetTimestamp();
                if (Stopwatch.GetElapsedTime(lastTick, now) >= Interval)
                {
                    lastTick = now;
                    Tick(now);
                }

                if (!await _consumer.WaitToReadAsync(Interval).ConfigureAwait(false) && TryRest())
                {
                    return;
                }
            }
        }
        catch (Exception exception)
        {
            if (End(exception))
            {
                _client.Logger.RequestsEnded(exception, _client.Queue, Name);
            }
        }
    }

    // The next request starts the loop again.
    private bool TryRest()
    {
        lock (_gate)
        {
            _isRunning = _waiting.Count != 0;
            return !_isRunning;
        }
    }

    /// <summary>Reads the replies that are there, up to a number.</summary>
    /// <returns>False if there may be more.</returns>
    private bool Drain()
    {
        for (var i = 0; i < MostInTurn; i++)
        {
            if (!_consumer.TryRead(out var reply))
            {
                return true;
            }

            Accept(reply);
            reply.Commit();
        }

        return false;
    }

    private void Accept(Delivery<TView> reply)
    {
        var isRead = false;
        var id = 0L;
        RequestFailedException? failure = null;
        try
        {
            var properties = reply.Properties;
            isRead = RequestProperties.TryGetId(properties, out id);
            failure = RequestProperties.FailureOf(properties);
        }
        catch (QueueCorruptedException)
        {
            // A reply whose properties are damaged belongs to no request.
        }

        if (!isRead || !TryTake(id, out var request))
        {
            RequestMetrics.CountUnmatched(_client.Label);
            return;
        }

        _responder.NoteReply();
        if (failure is not null)
        {
            request.Fail(failure);
        }
        else
        {
            request.Answer(reply);
        }
    }

    /// <summary>Ends the requests whose time is over, and all of them if no responder is alive.</summary>
    private void Tick(long now)
    {
        Take(request => request.IsExpired(now)).ForEach(static request => request.FailByTimeout());
        if (!HasWaiting(request => Stopwatch.GetElapsedTime(request.Start, now) >= Interval) || _responder.IsAlive())
        {
            return;
        }

        // A responder may have answered before it died.
        while (!Drain())
        {
        }

        var lost = Take(request => _responder.IsLostFor(request.Start));
        if (lost.Count != 0)
        {
            if (_responder.NoteLoss())
            {
                _client.Logger.RespondersLost(_client.Queue, _client.Responder, lost.Count);
            }

            lost.ForEach(request => request.Fail(_responder.Loss()));
        }
    }

    private bool HasWaiting(Func<PendingRequest<TView>, bool> condition)
    {
        lock (_gate)
        {
            return _waiting.Values.Any(condition);
        }
    }

    private List<PendingRequest<TView>> Take(Func<PendingRequest<TView>, bool> condition)
    {
        lock (_gate)
        {
            var taken = _waiting.Values.Where(condition).ToList();
            taken.ForEach(request => _waiting.Remove(request.Id));
            return taken;
        }
    }

    /// <summary>Ends the inbox, and all requests.</summary>
    /// <returns>False if it had ended before.</returns>
    private bool End(Exception reason)
    {
        lock (_gate)
        {
            if (_end is not null)
            {
                return false;
            }

            Volatile.Write(ref _end, reason);
        }

        Take(static _ => true).ForEach(request => request.Fail(reason));
        return true;
    }
}
