namespace BufferedMessages.Hosting;

/// <summary>
/// The settings of a queue in a host, from its configuration or code: <c>services.AddMessageQueue("orders", queue => queue.Directory = "data/orders")</c>. They are validated when the host starts;
/// later changes have no effect.
/// </summary>
public sealed class MessageQueueSettings
{
    /// <summary>
    /// Gets or sets the queue's directory. A relative path begins at the content root of the host or, without a host, at the current directory. Set either this or <see cref="SharedName"/>.
    /// </summary>
    public string? Directory { get; set; }

    /// <summary>Gets or sets the queue's name in the machine's shared memory, as for <see cref="MessageQueue.OpenShared"/>. Set either this or <see cref="Directory"/>.</summary>
    public string? SharedName { get; set; }

    /// <summary>Gets or sets the options with which the queue is created. An option that is set must match that of an existing queue.</summary>
    public MessageQueueOptions Options { get; set; } = new();

    /// <summary>The name in shared memory; null if the queue has a directory.</summary>
    internal string? SharedNameOrNull => string.IsNullOrWhiteSpace(SharedName) ? null : SharedName;
}
