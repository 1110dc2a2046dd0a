namespace BufferedMessages.Queues;

/// <summary>The tags under which the measurements of a queue, or of one of its consumer names, are recorded.</summary>
/// <param name="Queue">The name of the queue's directory.</param>
/// <param name="Operation">The operation that is counted; null for the queue's own numbers.</param>
/// <param name="Consumer">The consumer name; null for producers.</param>
internal sealed record MetricSeries(string Queue, string? Operation, string? Consumer)
{
    private const string Publish = "publish";
    private const string Commit = "commit";

    public bool IsConsumer => Consumer is not null;

    /// <summary>The series of the queue's own numbers.</summary>
    public MetricSeries OfQueue => new(Queue, Operation: null, Consumer: null);

    /// <summary>The tags, named as OpenTelemetry's conventions for messaging name them.</summary>
    public IEnumerable<KeyValuePair<string, object?>> Tags
    {
        get
        {
            yield return new("messaging.system", "bufferedmessages");
            yield return new("messaging.destination.name", Queue);
            if (Operation is not null)
            {
                yield return new("messaging.operation.name", Operation);
            }

            if (Consumer is not null)
            {
                yield return new("messaging.consumer.group.name", Consumer);
            }
        }
    }

    public static MetricSeries Of(Participant participant)
    {
        var queue = Path.GetFileName(participant.Queue.Directory);
        return participant.CursorIndex == Membership.NoCursor
            ? new MetricSeries(queue, Publish, Consumer: null)
            : new MetricSeries(queue, Commit, new CursorNames(participant.Queue.Control).NameOf(participant.CursorIndex));
    }
}
