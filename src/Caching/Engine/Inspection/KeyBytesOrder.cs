namespace BufferedMessages.Caching;

/// <summary>The comparer of keys by their bytes, for equality and for order.</summary>
internal sealed class KeyBytesOrder : IEqualityComparer<byte[]>, IComparer<byte[]>
{
    private KeyBytesOrder()
    {
    }

    /// <summary>Gets the only instance.</summary>
    public static KeyBytesOrder Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = new HashCode();
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);
}
