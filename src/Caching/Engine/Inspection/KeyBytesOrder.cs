namespace BufferedMessages.Caching;

/// <summary>Keys as bytes: they are equal, and in order, by their bytes.</summary>
internal sealed class KeyBytesOrder : IEqualityComparer<byte[]>, IComparer<byte[]>
{
    private KeyBytesOrder()
    {
    }

    /// <summary>Gets the only one.</summary>
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
