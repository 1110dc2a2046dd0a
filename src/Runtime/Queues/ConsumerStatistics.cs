namespace BufferedMessages;

/// <summary>A consumer name of a queue, whether somebody consumes under it now or not. Immutable.</summary>
public sealed class ConsumerStatistics
{
    internal ConsumerStatistics()
    {
    }

    /// <summary>The name.</summary>
    public string Name { get; internal init; } = "";

    /// <summary>Its members share the messages; otherwise one consumer sees all of them.</summary>
    public bool IsGroup { get; internal init; }

    /// <summary>The position, in bytes, of the next message to read, or to give to a member.</summary>
    public long Position { get; internal init; }

    /// <summary>
    /// Bytes from <see cref="Position"/> to the queue's published position, with headers and padding. What members have taken and not
    /// committed is not in it.
    /// </summary>
    public long LagBytes { get; internal init; }

    /// <summary>The consumer, or the members of the group: those alive, and those who died and whose slot nobody has used since. By slot.</summary>
    public IReadOnlyList<ParticipantStatistics> Members { get; internal init; } = [];
}
