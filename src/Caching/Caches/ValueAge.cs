namespace BufferedMessages.Caching;

/// <summary>Where the lifetime of a value is.</summary>
internal enum ValueAge
{
    /// <summary>There is no value that may be returned.</summary>
    None,
    Fresh,

    /// <summary>It will expire soon.</summary>
    Aging,

    /// <summary>It is expired, and may be returned while a new one is created.</summary>
    Stale,
}
