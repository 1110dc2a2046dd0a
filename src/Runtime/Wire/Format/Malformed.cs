using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Wire;

/// <summary>The exceptions for broken rules of the wire format, away from the hot paths that check them.</summary>
internal static class Malformed
{
    [DoesNotReturn]
    public static void Throw(MessageError error, int messageBytes) => throw new MalformedMessageException(error, messageBytes);

    [DoesNotReturn]
    public static void ThrowHeader(string rule, int remaining) => throw new MalformedMessageException(rule, remaining);

    [DoesNotReturn]
    public static void ThrowPayload(int remaining) => throw new MalformedMessageException(WireRule.Payload, remaining);

    [DoesNotReturn]
    public static void ThrowInlineLength(int remaining) => throw new MalformedMessageException(WireRule.InlineLength, remaining);

    [DoesNotReturn]
    public static void ThrowCase(int remaining) => throw new MalformedMessageException(WireRule.Case, remaining);

    [DoesNotReturn]
    public static void ThrowList(int remaining) => throw new MalformedMessageException(WireRule.List, remaining);

    [DoesNotReturn]
    public static void ThrowValue(string type, int remaining) => throw new MalformedMessageException(WireRule.ValueOf(type), remaining);

    [DoesNotReturn]
    public static void ThrowChangedText(int remaining) => throw new MalformedMessageException(WireRule.ChangedText, remaining);

    [DoesNotReturn]
    public static void ThrowOrder(int remaining) => throw new MalformedMessageException(WireRule.Order, remaining);

    [DoesNotReturn]
    public static void ThrowDepth(int remaining) => throw new MalformedMessageException(WireRule.Depth, remaining);

    [DoesNotReturn]
    public static void ThrowNullKey(int remaining) => throw new MalformedMessageException(WireRule.NullKey, remaining);

    [DoesNotReturn]
    public static void ThrowEqualKeys(int remaining) => throw new MalformedMessageException(WireRule.EqualKeys, remaining);

    [DoesNotReturn]
    public static void ThrowIndex() =>
        throw new ArgumentOutOfRangeException("index", "The index must be at least 0 and below Count.");
}
