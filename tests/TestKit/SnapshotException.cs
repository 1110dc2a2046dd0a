namespace BufferedMessages.TestKit;

/// <summary>A generated text is not the verified one.</summary>
public sealed class SnapshotException(string message) : Exception(message);
