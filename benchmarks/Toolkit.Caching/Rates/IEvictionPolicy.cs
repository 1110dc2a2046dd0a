namespace BufferedMessages.CacheBenchmarks;

/// <summary>A cache of keys without values, all of the same size.</summary>
internal interface IEvictionPolicy : IDisposable
{
    /// <summary>Asks for a key, and adds it if it is missing.</summary>
    /// <returns>Whether it was there.</returns>
    bool Ask(int key);
}
