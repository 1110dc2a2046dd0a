namespace BufferedMessages.Caching;

/// <summary>A cache that is registered as a service.</summary>
/// <param name="Name">Its name; empty for the cache without a name.</param>
/// <param name="KeyType">The type of its keys.</param>
/// <param name="Open">Opens it, if it is not open, and watches it.</param>
internal sealed record CacheRegistration(string Name, Type KeyType, Func<IServiceProvider, CacheWatch> Open);
