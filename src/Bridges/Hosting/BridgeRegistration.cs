namespace BufferedMessages.Bridges;

/// <summary>A bridge that is registered as a service.</summary>
/// <param name="Name">Its name among the services.</param>
/// <param name="QueuePath">The path of its queue, which may be relative.</param>
/// <param name="QueueOptions">The options of its queue; null for the defaults.</param>
/// <param name="CreateStream">Creates its stream.</param>
/// <param name="Open">Opens the bridge between the two.</param>
internal sealed record BridgeRegistration(
    string Name,
    string QueuePath,
    MessageQueueOptions? QueueOptions,
    Func<IServiceProvider, IMessageStream> CreateStream,
    Func<IServiceProvider, MessageQueue, IMessageStream, IBridge> Open);
