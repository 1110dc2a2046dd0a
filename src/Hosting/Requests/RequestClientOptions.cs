namespace BufferedMessages.Hosting;

/// <summary>
/// The options of a client of requests. They are named options by the name of the queue, and can be bound to a configuration by this name. They are validated when the host starts; later changes have no effect.
/// </summary>
public sealed class RequestClientOptions
{
    /// <summary>
    /// Gets or sets how long a request waits for its reply if the call does not set a timeout; 30 seconds by default. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// A request that is not begun within a second after its timeout, by the system's clock, is no longer handled.
    /// </summary>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets how long a request waits for a responder to start while none is alive. By default it does not wait: it fails at once with a <see cref="ResponderLostException"/>.
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> waits as long as for the reply.
    /// </summary>
    public TimeSpan ResponderTimeout { get; set; }

    /// <summary>
    /// Gets or sets the size of a segment of the client's reply queue in bytes: a power of two from 64 KB to 1 GB; 1 MB by default. A reply must fit into a segment. The queue has four segments, so
    /// this is a quarter of the bytes of replies that can wait for the client.
    /// </summary>
    public long ReplySegmentBytes { get; set; } = 1024 * 1024;
}
