using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The exception for messages nested deeper than the format allows; most often an object contains itself.</summary>
public sealed class MessageTooDeepException : Exception
{
    internal MessageTooDeepException()
        : base($"Messages are nested more than {WireFormat.MaxDepth} deep. Does an object contain itself? Break the cycle, or store a key instead of the object.")
    {
    }
}
