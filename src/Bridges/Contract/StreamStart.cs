namespace BufferedMessages.Bridges;

/// <summary>The place in a stream where reading begins.</summary>
public readonly record struct StreamStart
{
    private StreamStart(StreamOffset? offset, DateTimeOffset? time, bool isEnd)
    {
        Offset = offset;
        Time = time;
        IsEnd = isEnd;
    }

    /// <summary>Gets the start at the first entry that the broker still has; the default.</summary>
    public static StreamStart First => default;

    /// <summary>Gets the start after the last entry: only entries that are appended from now on are read.</summary>
    public static StreamStart End => new(null, null, isEnd: true);

    /// <summary>Gets the offset asked for; null if none was.</summary>
    public StreamOffset? Offset { get; }

    /// <summary>Gets the time asked for; null if none was.</summary>
    public DateTimeOffset? Time { get; }

    /// <summary>Gets whether the start is after the last entry.</summary>
    public bool IsEnd { get; }

    /// <summary>Gets whether the start is at the first entry.</summary>
    public bool IsFirst => !IsEnd && Offset is null && Time is null;

    /// <summary>Makes the start at the entry of an offset.</summary>
    /// <param name="offset">The offset of an entry that was read earlier.</param>
    public static StreamStart At(StreamOffset offset) => new(offset, null, isEnd: false);

    /// <summary>Makes the start at the first entry that was appended at a time or later, as exactly as the broker knows it.</summary>
    /// <param name="time">The time, by the broker's clock.</param>
    public static StreamStart At(DateTimeOffset time) => new(null, time, isEnd: false);
}
