namespace BufferedMessages.Tool;

/// <summary>Keys of a cache as bytes: they are equal, and in order, by their bytes.</summary>
internal sealed class CacheKeyOrder : IEqualityComparer<byte[]>, IComparer<byte[]>
{
    private CacheKeyOrder()
    {
    }

    /// <summary>Gets the only one.</summary>
    public static CacheKeyOrder Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = new HashCode();
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);
}
