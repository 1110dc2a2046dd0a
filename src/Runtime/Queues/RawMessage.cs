namespace BufferedMessages;

/// <summary>
/// A message as bytes, read in place. A consumer or reader of this type opens every queue, also one of messages or values.
/// Valid as long as its delivery is open.
/// </summary>
public readonly ref struct RawMessage : IQueuePayload<RawMessage>
{
    private const int MaxTextBytes = 500;

    private RawMessage(ReadOnlySpan<byte> bytes) => Bytes = bytes;

    /// <summary>Gets the bytes, aligned to 16.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Returns the bytes as hexadecimal digits, truncated to 500 bytes. Allocates.</summary>
    public override string ToString() => Bytes.Length <= MaxTextBytes ? Convert.ToHexString(Bytes) : Convert.ToHexString(Bytes[..MaxTextBytes]) + "...";

    static RecordContent? IQueuePayload<RawMessage>.Expected => null;

    static RawMessage IQueuePayload<RawMessage>.Open(ReadOnlySpan<byte> payload) => new(payload);
}
