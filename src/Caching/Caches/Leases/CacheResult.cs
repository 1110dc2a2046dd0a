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

    /// <summary>Gets its value; the default when there was no entry.</summary>
    public T? Value { get; }
}
