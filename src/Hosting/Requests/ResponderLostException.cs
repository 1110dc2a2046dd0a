namespace BufferedMessages.Hosting;

/// <summary>
/// The exception for a request that no live responder has, or can take. The request may have been handled in part or as a whole. It is still handled if a responder starts within its timeout.
/// </summary>
public sealed class ResponderLostException : Exception
{
    internal ResponderLostException(string queue, string responder, TimeSpan waited)
        : base(FormattableString.Invariant(
            $"No responder '{responder}' of the queue '{queue}' is alive: it never started, was stopped, or died. Start one, or let requests wait for it by {nameof(RequestClientOptions.ResponderTimeout)}, which is {waited}."))
    {
        QueueName = queue;
        ResponderName = responder;
    }

    /// <summary>Gets the name of the queue of requests among the services.</summary>
    public string QueueName { get; }

    /// <summary>Gets the name of the responder.</summary>
    public string ResponderName { get; }
}
