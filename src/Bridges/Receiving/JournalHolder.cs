namespace BufferedMessages.Bridges;

/// <summary>The process that has the name of a receiver, as a file beside the journal keeps it.</summary>
internal sealed class JournalHolder
{
    /// <summary>The id of the process; 0 if it is not known.</summary>
    public int ProcessId { get; set; }

    public DateTimeOffset ProcessStart { get; set; }
}
