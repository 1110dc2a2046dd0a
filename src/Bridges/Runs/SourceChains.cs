namespace BufferedMessages.Bridges;

/// <summary>
/// The chain rule: what a receiver has of each queue ends at a place, and a run continues it, repeats it, or would leave a hole. Positions are the ids of the messages, so one place for each queue
/// is all there is to remember.
/// <code>
/// end &lt;= place      duplicate, dropped
/// start &gt; place     hole, dropped: the run comes again, after the missing one
/// else              accepted; its messages before the place are cut off
/// </code>
/// A highest position alone would lose messages: the broker may keep a later run and lose an earlier one.
/// </summary>
internal sealed class SourceChains
{
    private readonly Dictionary<Guid, ChainPlace> _places = [];

    // Queues whose next run is accepted, whatever is missing before it.
    private readonly HashSet<Guid> _uncertain = [];

    /// <summary>The queues and their places.</summary>
    public IReadOnlyDictionary<Guid, ChainPlace> Places => _places;

    /// <summary>The receiver did not begin at the beginning of the stream: the first run of a queue is accepted, whatever is missing before it.</summary>
    public bool IsMidway { get; set; }

    /// <summary>The queue that the first entry of the stream begins: nothing before its first run may be missing. Null for none.</summary>
    public Guid? Begun { get; set; }

    /// <summary>
    /// Begins with the first entry that a stream has. The retention of the stream may have deleted entries before it, of any queue but one: a session of a forwarder begins with a schema that says so, and
    /// if that is the first entry, nothing of its queue is missing.
    /// </summary>
    public void BeginWith(in MessageStreamEntry first)
    {
        IsMidway |= first.Offset != default;
        Begun = MessageRun.TryParse(first, out var run) && run.Flags.HasFlag(RunFlags.Resumes) ? run.QueueId : null;
    }

    /// <summary>Accepts the next run of each queue, whatever is missing before it: the retention of the stream has deleted entries, or they are not read.</summary>
    public void AcceptHoles()
    {
        IsMidway = true;
        Begun = null;
        _uncertain.UnionWith(_places.Keys);
    }

    /// <summary>Accepts the next run of a queue, whatever is missing before it.</summary>
    public void AcceptHole(Guid queue) => _uncertain.Add(queue);

    /// <summary>Whether the next run of a queue is accepted, whatever is missing before it.</summary>
    public bool AcceptsHole(Guid queue) => _uncertain.Contains(queue);

    /// <summary>Judges a run.</summary>
    public RunJudgment Judge(in MessageRun run)
    {
        if (_places.TryGetValue(run.QueueId, out var place))
        {
            if (run.End <= place)
            {
                return RunJudgment.Duplicate;
            }

            if (run.Start <= place)
            {
                return RunJudgment.Continues;
            }

            return AcceptsHole(run.QueueId) || run.Flags.HasFlag(RunFlags.AfterDeletion) ? RunJudgment.ContinuesAfterDeletion : RunJudgment.Hole;
        }

        if (run.Flags.HasFlag(RunFlags.Resumes))
        {
            return RunJudgment.Continues;
        }

        return IsMidway && run.QueueId != Begun ? RunJudgment.ContinuesAfterDeletion : RunJudgment.Hole;
    }

    /// <summary>The place up to which the messages of a queue came.</summary>
    public ChainPlace PlaceOf(Guid queue) => _places.GetValueOrDefault(queue);

    /// <summary>Counts a place as reached. An accepted hole stays accepted until a place after it is reached.</summary>
    public void Reach(Guid queue, ChainPlace place)
    {
        if (!_places.TryGetValue(queue, out var before) || place > before)
        {
            _places[queue] = place;
            _uncertain.Remove(queue);
        }
    }
}

/// <summary>The judgments on a run: how it continues the chain of its queue.</summary>
internal enum RunJudgment
{
    /// <summary>It continues what the receiver has, perhaps with an overlap.</summary>
    Continues,

    /// <summary>It continues after a hole that is known and accepted.</summary>
    ContinuesAfterDeletion,

    /// <summary>All its messages were received before.</summary>
    Duplicate,

    /// <summary>Messages before it are missing.</summary>
    Hole,
}
