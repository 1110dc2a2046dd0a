namespace BufferedMessages.Hosting;

/// <summary>A publisher that is registered as a service.</summary>
/// <param name="Queue">The name of its queue among the services.</param>
/// <param name="SourceType">The type of its messages.</param>
/// <param name="Open">Opens it, unless it is open.</param>
internal sealed record PublisherRegistration(string Queue, Type SourceType, Action<IServiceProvider> Open);
