namespace BufferedMessages.Caching;

/// <summary>A value that <c>GetOrCreate</c> has found; the default is none.</summary>
/// <param name="Age">Where its lifetime is.</param>
/// <param name="Value">The value; the default when there is none.</param>
internal readonly record struct FoundValue<T>(ValueAge Age, T? Value)
{
    public bool IsHit => Age != ValueAge.None;

    /// <summary>Gets whether a new value should be created in the background.</summary>
    public bool IsAging => Age >= ValueAge.Aging;
}
