namespace BufferedMessages.Queues;

/// <summary>The result of an inspection of one segment.</summary>
internal sealed class SegmentReport
{
    /// <summary>The position after the last record that was claimed, as far as the walk came.</summary>
    public long End { get; set; }

    /// <summary>Whether the walk came to a free place, and not to the end of the segment.</summary>
    public bool IsOpenEnded { get; set; }

    /// <summary>Whether the segment was deleted or reused while it was inspected, so that its rest is not known.</summary>
    public bool IsGone { get; set; }

    /// <summary>Messages that are whole.</summary>
    public long Messages { get; set; }

    /// <summary>Bytes of their payloads.</summary>
    public long PayloadBytes { get; set; }

    /// <summary>Records that their producers have not finished.</summary>
    public long Unfinished { get; set; }

    /// <summary>The damage, in the order of positions.</summary>
    public List<Finding> Findings { get; } = [];
}
