using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Bridges;

/// <summary>The loop over the runs of a stream.</summary>
internal static class RunReading
{
    /// <summary>How long messages may be missing. The time in which the caller handles runs does not count: the messages may be there.</summary>
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
        var lastRuns = new Dictionary<Guid, StreamOffset>();
        var resumption = default(Resumption);
        for (var isFirst = true; ; isFirst = false)
        {
            var entry = holes.IsEmpty
                ? await reader.ReadAsync(cancellationToken).ConfigureAwait(false)
                : await ReadInTimeAsync(stream, reader, holes.First, resumption, cancellationToken).ConfigureAwait(false);
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
                StreamOffset? lastRun = lastRuns.TryGetValue(run.QueueId, out var offset) ? offset : null;
                if (holes.IsEmpty)
                {
                    resumption = new Resumption(lastRun, entry.Offset);
                }
                else if (lastRun is null || lastRun < resumption.LastRun)
                {
                    resumption = resumption with { LastRun = lastRun };
                }

                holes.Add(run.QueueId, run.End, before: null);
            }
            else if (judgment != RunJudgment.Duplicate)
            {
                received.Open(run, entry.Offset, chains.PlaceOf(run.QueueId));
                var began = Stopwatch.GetTimestamp();
                try
                {
                    yield return received;
                }
                finally
                {
                    received.Close();
                }

                holes.LeaveOutSince(began);
                lastRuns[run.QueueId] = entry.Offset;
                chains.Reach(run.QueueId, run.End);
                holes.Fill(run.QueueId, chains.PlaceOf(run.QueueId));
            }
        }
    }

    // The entries with the missing messages may be deleted, which a connection does not report.
    private static async ValueTask<MessageStreamEntry> ReadInTimeAsync(IMessageStream stream, IRunReader reader, StreamHole hole, Resumption resumption, CancellationToken cancellationToken)
    {
        if (hole.Rest <= TimeSpan.Zero)
        {
            throw Missing(stream, hole, resumption, cause: null);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(hole.Rest);
        try
        {
            return await reader.ReadAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException cause) when (!cancellationToken.IsCancellationRequested)
        {
            throw Missing(stream, hole, resumption, cause);
        }
    }

    private static IOException Missing(IMessageStream stream, in StreamHole hole, Resumption resumption, Exception? cause)
    {
        var place = resumption.LastRun is { } last ? $"offset {last}" : "the first entry";
        return new IOException(
            $"Stream '{stream.Name}' lacks messages of queue {hole.Queue}, and they did not come within {hole.Timeout.TotalSeconds:F0} s. Begin again at {place}: if entries were deleted, the loop goes on " +
            "with the first one that is left. If their forwarder is connected and the messages are missing again, the broker has lost entries that it had confirmed, or has stored them in another order; " +
            $"to go on without them then, begin at offset {resumption.FirstDropped}.",
            cause);
    }

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

    /// <summary>The places where another loop may begin.</summary>
    /// <param name="LastRun">
    /// The last run of the queue whose messages are missing; of several queues, the one that comes first in the stream. Null if a queue has none. A loop that begins later does not know where the chain of
    /// the queue ends, so it steps over runs that were dropped, or takes one of them for the next.
    /// </param>
    /// <param name="FirstDropped">The first run that was dropped.</param>
    private readonly record struct Resumption(StreamOffset? LastRun, StreamOffset FirstDropped);
}
