namespace BufferedMessages.Caching;

/// <summary>The exceptions of the framework that a cache throws in more than one place.</summary>
internal static class CacheFailures
{
    /// <summary>The exception of a cache that is disposed.</summary>
    public static ObjectDisposedException Disposed(string directory) => new("MessageCache", $"The cache '{directory}' was disposed.");

    /// <summary>The exception for leases that hold all segments.</summary>
    public static TimeoutException AllHeld(string directory) =>
        new($"All segments of the cache '{directory}' are held by leases. Dispose leases when they are read, or give the cache a larger DiskBytes.");
}
