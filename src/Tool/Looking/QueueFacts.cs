namespace BufferedMessages.Tool;

/// <summary>Everything that <c>info</c> knows of a queue, read at about the same time.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Created">The time at which it was created; null if that is not known.</param>
/// <param name="Options">The options that it was created with.</param>
/// <param name="Schemas">The versions of its schema.</param>
/// <param name="Statistics">Positions, producers and names.</param>
internal sealed record QueueFacts(Guid Id, long Epoch, DateTimeOffset? Created, MessageQueueOptions Options, IReadOnlyList<MessageSchema> Schemas, QueueStatistics Statistics)
{
    /// <summary>Gets the number of segments from the first position to the published one.</summary>
    public long Segments => SegmentsOf(Statistics);

    /// <summary>Counts the segments from the first position to the published one.</summary>
    public static long SegmentsOf(QueueStatistics statistics) =>
        statistics.PublishedPosition == 0 ? 0 : ((statistics.PublishedPosition - 1) / statistics.SegmentBytes) - (statistics.FirstPosition / statistics.SegmentBytes) + 1;

    /// <summary>Reads them.</summary>
    public static QueueFacts Of(MessageQueue queue) => new(queue.Id, queue.Epoch, queue.CreationTime, queue.GetOptions(), queue.Schemas, queue.GetStatistics());
}
