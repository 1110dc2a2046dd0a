namespace BufferedMessages.Queues;

/// <summary>A participant's counts of published or committed messages.</summary>
internal readonly record struct ParticipantCounts(long Messages, long Bytes)
{
    public static ParticipantCounts operator +(ParticipantCounts left, ParticipantCounts right) =>
        new(left.Messages + right.Messages, left.Bytes + right.Bytes);
}
