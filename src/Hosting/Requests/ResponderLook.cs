using System.Diagnostics;

namespace BufferedMessages.Hosting;

/// <summary>
/// The watch over a responder: whether a process that has opened its name holds its lease. The system releases the lease of a process that dies. Serves one thread at a time.
/// </summary>
internal sealed class ResponderLook(RequestClientIdentity client, MessageQueue requests)
{
    private long? _noneSince;
    private long _last;
    private bool _isLossKnown;

    /// <summary>Forgets earlier looks.</summary>
    public void Begin() => _noneSince = null;

    /// <summary>Checks whether a responder is alive. True if the system cannot tell now, for example because of too many open files.</summary>
    /// <exception cref="QueueCorruptedException">The queue of requests is damaged.</exception>
    /// <exception cref="StaleQueueException">The files of the queue of requests were deleted or replaced.</exception>
    /// <exception cref="ObjectDisposedException">The queue of requests is closed.</exception>
    public bool IsAlive()
    {
        _last = Stopwatch.GetTimestamp();
        bool isAlive;
        try
        {
            isAlive = requests.GetStatistics().Consumers.Any(consumer => consumer.Name == client.Responder && consumer.Members.Any(static member => member.IsAlive));
        }
        catch (IOException exception) when (exception is not StaleQueueException)
        {
            return true;
        }

        _noneSince = isAlive ? null : _noneSince ?? _last;
        _isLossKnown &= !isAlive;
        return isAlive;
    }

    /// <summary>Notes that a responder has answered.</summary>
    public void NoteReply() => _isLossKnown = false;

    /// <summary>Notes that requests were lost.</summary>
    /// <returns>False if some were lost before, and no responder was alive in the meantime.</returns>
    public bool NoteLoss()
    {
        var isNew = !_isLossKnown;
        _isLossKnown = true;
        return isNew;
    }

    /// <summary>Whether a request does not wait any longer for a responder to start, after a look that found none.</summary>
    /// <param name="start">When the request was made.</param>
    public bool IsLostFor(long start) =>
        _noneSince is { } since
        && start < _last
        && client.Options.ResponderTimeout != Timeout.InfiniteTimeSpan
        && Stopwatch.GetElapsedTime(Math.Max(since, start), _last) >= client.Options.ResponderTimeout;

    public ResponderLostException Loss() => new(client.Queue, client.Responder, client.Options.ResponderTimeout);
}
