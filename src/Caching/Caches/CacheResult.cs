namespace BufferedMessages.Caching;

/// <summary>What an asynchronous read found.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public readonly struct CacheResult<T>
{
    internal CacheResult(bool isHit, T? value)
    {
        IsHit = isHit;
        Value = value;
    }

    /// <summary>There was an entry.</summary>
    public bool IsHit { get; }

    /// <summary>Its value; the default when there was none.</summary>
    public T? Value { get; }
}
