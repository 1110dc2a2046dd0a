namespace BufferedMessages.Caching;

/// <summary>A cache among the services.</summary>
/// <param name="Name">Its name; empty for the one without.</param>
/// <param name="KeyType">The type of its keys.</param>
/// <param name="Open">Opens it, if it is not open, and watches it.</param>
internal sealed record CacheRegistration(string Name, Type KeyType, Func<IServiceProvider, CacheWatch> Open);
