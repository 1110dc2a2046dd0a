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

    // The places before the deletions that were counted last, in the stream and in a queue. An attempt that fails after a deletion meets it again, and more may be deleted by then.
    private StreamOffset? _beforeDeletedEntries;
    private (Guid Queue, ChainPlace Place)? _beforeDeletedMessages;

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
        private set => Volatile.Write(ref _deletions, value);
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

    /// <summary>Counts a deletion of entries of the stream.</summary>
    /// <param name="last">The last entry before it.</param>
    /// <returns>False if an earlier attempt has counted it.</returns>
    public bool TryCountDeletion(StreamOffset last)
    {
        if (_beforeDeletedEntries == last)
        {
            return false;
        }

        _beforeDeletedEntries = last;
        Deletions++;
        return true;
    }

    /// <summary>Counts a deletion of messages of a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="place">The place before it.</param>
    /// <returns>False if an earlier attempt has counted it.</returns>
    public bool TryCountDeletion(Guid queue, ChainPlace place)
    {
        if (_beforeDeletedMessages == (queue, place))
        {
            return false;
        }

        _beforeDeletedMessages = (queue, place);
        Deletions++;
        return true;
    }
}
