namespace BufferedMessages.Bridges;

/// <summary>The counts of a forwarder. Its loop writes them; all threads may read them.</summary>
internal sealed class ForwarderCounts
{
    private long _sent;
    private long _confirmed;
    private long _confirmedPosition;
    private long _refused;
    private long _deletions;
    private int _inFlightRuns;

    public long Sent
    {
        get => Volatile.Read(ref _sent);
        set => Volatile.Write(ref _sent, value);
    }

    public long Confirmed
    {
        get => Volatile.Read(ref _confirmed);
        set => Volatile.Write(ref _confirmed, value);
    }

    /// <summary>The position in the queue after the last message that the broker has confirmed.</summary>
    public long ConfirmedPosition
    {
        get => Volatile.Read(ref _confirmedPosition);
        set => Volatile.Write(ref _confirmedPosition, value);
    }

    public long Refused
    {
        get => Volatile.Read(ref _refused);
        set => Volatile.Write(ref _refused, value);
    }

    public long Deletions
    {
        get => Volatile.Read(ref _deletions);
        set => Volatile.Write(ref _deletions, value);
    }

    public int InFlightRuns
    {
        get => Volatile.Read(ref _inFlightRuns);
        set => Volatile.Write(ref _inFlightRuns, value);
    }
}
