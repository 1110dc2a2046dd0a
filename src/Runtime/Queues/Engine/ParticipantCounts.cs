namespace BufferedMessages.Queues;

/// <summary>A participant's counts of published or committed messages.</summary>
/// <remarks>A class, since the framework has compiled its collections of classes, and a process compiles those of each struct anew.</remarks>
internal sealed record ParticipantCounts(long Messages, long Bytes)
{
    public static ParticipantCounts None { get; } = new(0, 0);

    public static ParticipantCounts operator +(ParticipantCounts left, ParticipantCounts right) =>
        new(left.Messages + right.Messages, left.Bytes + right.Bytes);
}
