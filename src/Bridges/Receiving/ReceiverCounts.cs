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

    // The deletions that were counted last, of entries and of messages. An attempt that fails after a deletion meets it again.
    private (StreamOffset Last, StreamOffset First) _deletedEntries;
    private (Guid Queue, ChainPlace Start) _deletedMessages;

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
    /// <param name="last">The last entry that was read.</param>
    /// <param name="first">The first entry that is left.</param>
    /// <returns>False if an earlier attempt has counted it.</returns>
    public bool TryCountDeletion(StreamOffset last, StreamOffset first)
    {
        if (_deletedEntries == (last, first))
        {
            return false;
        }

        _deletedEntries = (last, first);
        Deletions++;
        return true;
    }

    /// <summary>Counts a deletion of messages of a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="start">The place of the first message that is left.</param>
    /// <returns>False if an earlier attempt has counted it.</returns>
    public bool TryCountDeletion(Guid queue, ChainPlace start)
    {
        if (_deletedMessages == (queue, start))
        {
            return false;
        }

        _deletedMessages = (queue, start);
        Deletions++;
        return true;
    }
}
