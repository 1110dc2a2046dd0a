namespace BufferedMessages.Queues;

/// <summary>A participant's counts of published or committed messages.</summary>
/// <remarks>It is a class: the framework's collections of classes are precompiled, while a process compiles those of each struct itself.</remarks>
internal sealed record ParticipantCounts(long Messages, long Bytes)
{
    public static ParticipantCounts None { get; } = new(0, 0);

    public static ParticipantCounts operator +(ParticipantCounts left, ParticipantCounts right) =>
        new(left.Messages + right.Messages, left.Bytes + right.Bytes);
}
