namespace BufferedMessages.Hosting;

/// <summary>A client of requests that is registered as a service.</summary>
/// <param name="Queue">The name of its queue among the services.</param>
/// <param name="ClientType">The type of the client.</param>
/// <param name="Open">Opens it, unless it is open.</param>
internal sealed record RequestClientRegistration(string Queue, Type ClientType, Action<IServiceProvider> Open);
