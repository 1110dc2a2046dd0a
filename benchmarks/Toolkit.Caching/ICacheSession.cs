namespace BufferedMessages.CacheBenchmarks;

/// <summary>What one thread does with a contender.</summary>
internal interface ICacheSession : IDisposable
{
    /// <summary>Reads the first and the last bytes of the values of keys, and compares the first with the key.</summary>
    /// <returns>How many were there.</returns>
    int ReadMany(ReadOnlySpan<int> keys);

    /// <summary>The same, all keys in one call where the cache has such a call.</summary>
    int ReadTogether(ReadOnlySpan<int> keys) => ReadMany(keys);

    /// <summary>Reads one, and waits for it.</summary>
    bool Read(int key);

    /// <summary>Sets keys to a value, which begins with the key.</summary>
    void WriteMany(ReadOnlySpan<int> keys, Span<byte> value);

    /// <summary>The same, all keys in one call where the cache has such a call.</summary>
    void WriteTogether(ReadOnlySpan<int> keys, Span<byte> value) => WriteMany(keys, value);
}
