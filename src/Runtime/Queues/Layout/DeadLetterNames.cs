namespace BufferedMessages.Queues;

/// <summary>The names that the packages of hosting and of bridges, and the tool, share about dead letters. Files and messages have them, so they never change.</summary>
internal static class DeadLetterNames
{
    /// <summary>The folder in that of a queue, with a queue of dead letters for each handler and bridge.</summary>
    public const string Folder = "dead";

    /// <summary>The header that a bridge adds to a dead letter: the name of its stream.</summary>
    public const string BridgeStream = "bridge-stream";

    /// <summary>The header that a bridge adds to a dead letter of its receiver: the offset in the stream.</summary>
    public const string BridgeOffset = "bridge-offset";
}
