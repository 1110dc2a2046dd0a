using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Wire;

/// <summary>Throws for broken rules of the wire format, away from the hot paths that check them.</summary>
internal static class Malformed
{
    [DoesNotReturn]
    public static void ThrowHeader(string rule, int remaining) => throw new MalformedMessageException(rule, remaining);

    [DoesNotReturn]
    public static void ThrowPayload(int remaining) =>
        throw new MalformedMessageException("a slot points outside of the message, or back into the block that holds it", remaining);

    [DoesNotReturn]
    public static void ThrowInlineLength(int remaining) =>
        throw new MalformedMessageException("an inline string or binary is longer than 7 bytes", remaining);

    [DoesNotReturn]
    public static void ThrowList(int remaining) =>
        throw new MalformedMessageException("a list reaches beyond the end of the message", remaining);

    [DoesNotReturn]
    public static void ThrowValue(string type, int remaining) =>
        throw new MalformedMessageException($"a value is outside of what {type} can hold", remaining);

    [DoesNotReturn]
    public static void ThrowChangedText(int remaining) =>
        throw new MalformedMessageException("a string changed while it was read", remaining);

    [DoesNotReturn]
    public static void ThrowOrder(int remaining) =>
        throw new MalformedMessageException("payloads overlap, or are not in the order of their slots", remaining);

    [DoesNotReturn]
    public static void ThrowDepth(int remaining) =>
        throw new MalformedMessageException($"messages are nested more than {WireFormat.MaxDepth} deep", remaining);

    [DoesNotReturn]
    public static void ThrowDictionary(string rule, int remaining) => throw new MalformedMessageException("a dictionary or set " + rule, remaining);

    [DoesNotReturn]
    public static void ThrowNullKey(int remaining) => throw new MalformedMessageException("a key of a dictionary or set is null", remaining);

    [DoesNotReturn]
    public static void ThrowEqualKeys(int remaining) => throw new MalformedMessageException("a dictionary or set holds a key twice", remaining);

    [DoesNotReturn]
    public static void ThrowIndex() =>
        throw new ArgumentOutOfRangeException("index", "The index must be at least 0 and below Count.");
}
