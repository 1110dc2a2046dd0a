namespace BufferedMessages;

/// <summary>The consumer of a name, or a member of a group. Immutable.</summary>
public sealed class MemberStatistics : ParticipantStatistics
{
    internal MemberStatistics()
    {
    }

    /// <summary>The position, in bytes, of the message that a group's member has taken and not committed; null for none, and for an exclusive consumer.</summary>
    public required long? InFlightPosition { get; init; }
}
