namespace BufferedMessages.Bridges;

/// <summary>An entry of the stream that was read. Another run at its offset shows that the stream was deleted and made anew, or that the broker lost its end.</summary>
/// <param name="Offset">Its offset.</param>
/// <param name="Run">The run that it held; the default for an entry without a run.</param>
internal readonly record struct ReadEntry(StreamOffset Offset, RunIdentity Run)
{
    public static ReadEntry Of(in MessageStreamEntry entry) => new(entry.Offset, MessageRun.TryParse(entry, out var run) ? new RunIdentity(run.QueueId, run.End) : default);

    /// <summary>Whether an entry of the same offset is another one.</summary>
    public bool IsReplacedBy(in MessageStreamEntry entry) => entry.Offset == Offset && Of(entry).Run != Run;
}

/// <summary>The name of a run. A forwarder that repeats messages may begin their runs at other places, so the beginning does not count.</summary>
/// <param name="Queue">The queue.</param>
/// <param name="End">The place after its last message.</param>
internal readonly record struct RunIdentity(Guid Queue, ChainPlace End);
