namespace BufferedMessages.Queues;

/// <summary>What a participant published or committed.</summary>
internal readonly record struct ParticipantCounts(long Messages, long Bytes)
{
    public static ParticipantCounts operator +(ParticipantCounts left, ParticipantCounts right) =>
        new(left.Messages + right.Messages, left.Bytes + right.Bytes);
}
