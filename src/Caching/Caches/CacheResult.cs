namespace BufferedMessages.Caching;

/// <summary>What an asynchronous read found.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="IsHit">There was an entry.</param>
/// <param name="Value">Its value; the default when there was none.</param>
public readonly record struct CacheResult<T>(bool IsHit, T? Value);
