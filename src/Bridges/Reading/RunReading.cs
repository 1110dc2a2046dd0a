using System.Runtime.CompilerServices;

namespace BufferedMessages.Bridges;

/// <summary>The loop over the runs of a stream.</summary>
internal static class RunReading
{
    public static async IAsyncEnumerable<ReceivedRun<TPayload>> ReadAsync<TPayload>(IMessageStream stream, StreamStart start, [EnumeratorCancellation] CancellationToken cancellationToken)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        var reader = await stream.OpenReaderAsync(start, cancellationToken).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        var chains = new SourceChains { IsMidway = !start.IsEarliest };
        var received = new ReceivedRun<TPayload>();
        for (var isFirst = true; ; isFirst = false)
        {
            var entry = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
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
            }
            else if (chains.Judge(run) is RunJudgment.Continues or RunJudgment.ContinuesAfterDeletion)
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
            }
        }
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
}
