namespace BufferedMessages.Caching;

/// <summary>The result of an asynchronous read.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public readonly struct CacheResult<T>
{
    internal CacheResult(bool isHit, T? value)
    {
        IsHit = isHit;
        Value = value;
    }

    /// <summary>Gets whether there was an entry.</summary>
    public bool IsHit { get; }

    /// <summary>Gets the value of the entry; the default if there was none.</summary>
    public T? Value { get; }
}
