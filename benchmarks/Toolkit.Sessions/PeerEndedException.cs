namespace BufferedMessages.Sessions;

/// <summary>A process that a session needs is gone.</summary>
internal sealed class PeerEndedException(string message) : Exception(message);
