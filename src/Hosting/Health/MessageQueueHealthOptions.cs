namespace BufferedMessages.Hosting;

/// <summary>
/// The limits of the health checks of queues. They are named options, by the name of the queue: <c>services.Configure&lt;MessageQueueHealthOptions&gt;("orders", ...)</c> changes those of one queue.
/// </summary>
public sealed class MessageQueueHealthOptions
{
    /// <summary>Gets or sets the lag in bytes above which a consumer name makes the queue degraded; null for no limit.</summary>
    public long? MaxLagBytes { get; set; }

    /// <summary>Gets or sets the age of the oldest unread message above which a consumer name makes the queue degraded; null for no limit. It is exact for messages with a time.</summary>
    public TimeSpan? MaxUnreadAge { get; set; }

    /// <summary>Gets or sets the free bytes of the disk below which a durable queue is unhealthy; null for those of one segment, without which producers cannot go on.</summary>
    public long? MinFreeBytes { get; set; }

    /// <summary>Gets or sets for how long a new dead letter makes the queue degraded; 5 minutes by default.</summary>
    public TimeSpan DeadLetterWindow { get; set; } = TimeSpan.FromMinutes(5);
}
