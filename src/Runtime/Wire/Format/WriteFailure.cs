using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Wire;

/// <summary>The exceptions for impossible writes, away from the hot paths that check them.</summary>
internal static class WriteFailure
{
    [DoesNotReturn]
    public static void ThrowTooSmall(int bytes) =>
        throw new ArgumentException(
            $"The message does not fit into the {bytes} bytes of the destination. Pass a larger one: an object needs CalculateSize() bytes, and must not be changed while it is written.");

    [DoesNotReturn]
    public static void ThrowSurrogate() =>
        throw new ArgumentException("A string holds an unpaired surrogate, so it is not valid text and has no UTF-8 form. Remove it, or store the text as bytes.");

    [DoesNotReturn]
    public static void ThrowNullKey() =>
        throw new ArgumentException("A set holds null, but keys of sets and dictionaries are never null. Remove it from the set.");

    [DoesNotReturn]
    public static void ThrowChanged() =>
        throw new InvalidOperationException("A collection was changed while it was written. Do not change a source while its size is calculated or it is written.");

    [DoesNotReturn]
    public static void ThrowOutsideOfBlock() =>
        throw new InvalidOperationException("A member is outside of its block. The generated code does not fit this version of the runtime: rebuild it.");
}
