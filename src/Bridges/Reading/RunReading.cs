using System.Runtime.CompilerServices;

namespace BufferedMessages.Bridges;

/// <summary>The loop over the runs of a stream.</summary>
internal static class RunReading
{
    /// <summary>How long messages may be missing.</summary>
    public static readonly TimeSpan HoleTimeout = TimeSpan.FromSeconds(30);

    public static async IAsyncEnumerable<ReceivedRun<TPayload>> ReadAsync<TPayload>(
        IMessageStream stream,
        StreamStart start,
        TimeSpan holeTimeout,
        [EnumeratorCancellation] CancellationToken cancellationToken)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        var reader = await stream.OpenReaderAsync(start, cancellationToken).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        var chains = new SourceChains { IsMidway = !start.IsEarliest };
        var received = new ReceivedRun<TPayload>();
        var holes = new StreamHoles(holeTimeout);
        StreamOffset firstDropped = default;
        for (var isFirst = true; ; isFirst = false)
        {
            var entry = holes.IsEmpty
                ? await reader.ReadAsync(cancellationToken).ConfigureAwait(false)
                : await ReadInTimeAsync(stream, reader, holes.First, firstDropped, cancellationToken).ConfigureAwait(false);
            if (isFirst && start.IsEarliest)
            {
                chains.BeginWith(entry);
            }

            if (!MessageRun.TryParse(entry, out var run))
            {
                continue;
            }

            if (run.Kind == RunKind.Schema)
            {
                Require(TPayload.Expected, run);
                continue;
            }

            var judgment = chains.Judge(run);
            if (judgment == RunJudgment.Hole)
            {
                firstDropped = holes.IsEmpty ? entry.Offset : firstDropped;
                holes.Add(run.QueueId, run.End, before: null);
            }
            else if (judgment != RunJudgment.Duplicate)
            {
                received.Open(run, entry.Offset, chains.PlaceOf(run.QueueId));
                try
                {
                    yield return received;
                }
                finally
                {
                    received.Close();
                }

                chains.Reach(run.QueueId, run.End);
                holes.Fill(run.QueueId, chains.PlaceOf(run.QueueId));
            }
        }
    }

    // The entries with the missing messages may be deleted, which a connection does not say.
    private static async ValueTask<MessageStreamEntry> ReadInTimeAsync(IMessageStream stream, IRunReader reader, StreamHole hole, StreamOffset firstDropped, CancellationToken cancellationToken)
    {
        if (hole.Rest <= TimeSpan.Zero)
        {
            throw Missing(stream, hole, firstDropped, cause: null);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(hole.Rest);
        try
        {
            return await reader.ReadAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException cause) when (!cancellationToken.IsCancellationRequested)
        {
            throw Missing(stream, hole, firstDropped, cause);
        }
    }

    private static IOException Missing(IMessageStream stream, in StreamHole hole, StreamOffset firstDropped, Exception? cause) => new(
        $"Stream '{stream.Name}' lacks messages of queue {hole.Queue}, and they did not come within {hole.Timeout.TotalSeconds:F0} s. Begin again at the offset of the last run: if entries were deleted, the loop " +
        $"goes on with the first one that is left. If the messages are missing again, the broker has lost entries that it had confirmed; to go on without them, begin at offset {firstDropped}.",
        cause);

    private static void Require(RecordContent? expected, in MessageRun run)
    {
        if (expected is null)
        {
            return;
        }

        var content = RunContent.Decode(run);
        foreach (var version in content.Versions)
        {
            if (version.Kind != expected.Kind || (version.Schema is null && version.Text != expected.Text))
            {
                throw new SchemaMismatchException(
                    $"The stream holds '{version.Text.TrimEnd()}', this program reads '{expected.Text.TrimEnd()}'. Read another stream, or this one as its own content.", expected.Text, version.Text);
            }

            expected.Schema?.RequireCompatible(version.Schema!);
        }
    }
}
