using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A binary in a list, read in place. Valid as long as the bytes of the message are.</summary>
public readonly ref struct BufferedBinary : IBufferedElement<BufferedBinary>
{
    internal BufferedBinary(ReadOnlySpan<byte> span) => Span = span;

    /// <summary>Gets the bytes; empty if the binary is null.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>Gets whether the binary is null.</summary>
    public bool IsNull => Span.IsNull;

    /// <summary>Converts to the bytes; empty if the binary is null.</summary>
    public static implicit operator ReadOnlySpan<byte>(BufferedBinary value) => value.Span;

    /// <summary>Returns the bytes as base64. Allocates.</summary>
    public override string? ToString() => IsNull ? null : Convert.ToBase64String(Span);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Binary(container, offset);

    static BufferedBinary IBufferedElement<BufferedBinary>.Read(BlockReader slots, int offset) => new(slots.ReadBinary(offset));

    static BufferedBinary IBufferedElement<BufferedBinary>.ReadElement(BlockReader slots, int offset) => new(slots.ReadBinaryElement(offset));
}
