using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Wire;

/// <summary>The exceptions for broken rules of the wire format, away from the hot paths that check them.</summary>
internal static class Malformed
{
    [DoesNotReturn]
    public static void Throw(MessageError error) => throw new MalformedMessageException(error);

    [DoesNotReturn]
    public static void Throw(string rule, int remaining) => throw new MalformedMessageException(rule, remaining);

    [DoesNotReturn]
    public static void ThrowValue(string type, int remaining) => throw new MalformedMessageException(WireRule.ValueOf(type), remaining);

    [DoesNotReturn]
    public static void ThrowIndex() =>
        throw new ArgumentOutOfRangeException("index", "The index must be at least 0 and less than Count.");
}
