namespace BufferedMessages.Bridges;

/// <summary>
/// The ids that a writer gives to its runs. They always rise.
/// <code>
/// generation   the same while queue and epoch are the same; else the time, or the last one + 1
/// ordinal      messages: the position after the last one, a multiple of 16     no messages: the last ordinal + 1, or more
/// </code>
/// </summary>
/// <param name="top">The top of the stream when the writer was opened.</param>
internal sealed class EntryOrder(StreamTop top)
{
    private const ulong SequenceBits = 15;

    private StreamOffset _last = top.LastId;
    private Guid? _queue = top.Queue;
    private long _epoch = top.Epoch;

    /// <summary>Whether the id of a run is not above the last one, so the stream may have its messages.</summary>
    public bool IsRepeat(in MessageRun run) => Continues(run) && run.Count > 0 && (ulong)run.To <= (_last.Minor & ~SequenceBits);

    /// <summary>Gives an id to a run that goes into the stream.</summary>
    public StreamOffset Next(in MessageRun run)
    {
        var to = (ulong)run.To;
        if (!Continues(run) || (run.Count > 0 && to <= _last.Minor))
        {
            // The time keeps the ids above those of a stream that was deleted, and above those that a fail-over took back.
            _last = new StreamOffset(Math.Max(_last.Major + 1, (ulong)DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()));
            _queue = run.QueueId;
            _epoch = run.Epoch;
        }

        _last = _last with { Minor = run.Count > 0 ? to : Math.Max(_last.Minor, to) + 1 };
        return _last;
    }

    private bool Continues(in MessageRun run) => _queue == run.QueueId && _epoch == run.Epoch;
}
