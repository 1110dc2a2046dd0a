namespace BufferedMessages.Hosting;

/// <summary>A handler that is registered as a service.</summary>
/// <param name="Queue">The name of its queue among the services.</param>
/// <param name="Name">Its own name, which is also its consumer name in the queue.</param>
internal sealed record HandlerRegistration(string Queue, string Name)
{
    /// <summary>The name of its services and its options.</summary>
    public string Key => $"{Queue}/{Name}";
}
