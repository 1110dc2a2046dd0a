namespace BufferedMessages.Bridges;

/// <summary>The counts of a receiver. Its loop writes them; all threads may read them.</summary>
internal sealed class ReceiverCounts
{
    private readonly Lock _gate = new();
    private long _received;
    private long _duplicates;
    private long _holes;
    private long _deletions;
    private long _foreign;
    private StreamOffset? _offset;

    public long Received
    {
        get => Volatile.Read(ref _received);
        set => Volatile.Write(ref _received, value);
    }

    public long Duplicates
    {
        get => Volatile.Read(ref _duplicates);
        set => Volatile.Write(ref _duplicates, value);
    }

    public long Holes
    {
        get => Volatile.Read(ref _holes);
        set => Volatile.Write(ref _holes, value);
    }

    public long Deletions
    {
        get => Volatile.Read(ref _deletions);
        set => Volatile.Write(ref _deletions, value);
    }

    public long Foreign
    {
        get => Volatile.Read(ref _foreign);
        set => Volatile.Write(ref _foreign, value);
    }

    /// <summary>The offset of the last entry that was read.</summary>
    public StreamOffset? Offset
    {
        get
        {
            lock (_gate)
            {
                return _offset;
            }
        }

        set
        {
            lock (_gate)
            {
                _offset = value;
            }
        }
    }
}
