namespace BufferedMessages.Samples.AccessLog;

/// <summary>Lets a dictionary with UTF-8 keys be asked with the bytes of a message: only a key that is new is copied.</summary>
internal sealed class Utf8Comparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj) => GetHashCode(obj.AsSpan());

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => new BufferedString(alternate).GetHashCode();

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
