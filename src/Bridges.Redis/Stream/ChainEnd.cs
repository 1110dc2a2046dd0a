using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>
/// The last runs of a stream, read backwards, to learn whether a run need not be sent because the stream has its messages.
/// <code>
/// has 1..4, asked for 5    [4] [6]          5 is missing: the server refused it, and took the next one
///                          [4] [5] [6]      no hole between 5's start and the end: all of it is there
/// </code>
/// The last id alone does not say so. Commands are pipelined: the server may refuse one, for example for lack of memory, and store the next.
/// </summary>
internal static class ChainEnd
{
    private const int PageEntries = 16;

    /// <summary>Reads back from the end of the stream to the start of a run.</summary>
    /// <returns>The messages from the start of the run up to the end of the stream; null if one of the run, or one after it, is missing.</returns>
    public static async Task<StoredRange?> ReadAsync(IDatabase database, RedisKey key, MessageRun run)
    {
        var upTo = (RedisValue)"+";
        ulong? generation = null;
        var range = new StoredRange(run.QueueId, run.Epoch, default, To: -1);
        while (true)
        {
            var page = await database.StreamRangeAsync(key, "-", upTo, PageEntries, Order.Descending).ConfigureAwait(false);
            foreach (var entry in page)
            {
                var id = EntryId.Parse(entry.Id);
                if (id.Major != (generation ??= id.Major)
                    || !MessageRun.TryParse(EntryFields.Entry(id, entry.Values), out var stored)
                    || stored.QueueId != run.QueueId
                    || stored.Epoch != run.Epoch)
                {
                    return null;
                }

                if (stored.Count > 0 && !range.TryExtend(stored, run.To))
                {
                    return null;
                }

                if (range.Holds(run))
                {
                    return range;
                }
            }

            if (page.Length < PageEntries)
            {
                return null;
            }

            upTo = EntryId.Format(EntryId.Before(EntryId.Parse(page[^1].Id)));
        }
    }
}

/// <summary>Messages of one chain that are in the stream without a hole. Immutable for its users.</summary>
/// <param name="Queue">The queue.</param>
/// <param name="Epoch">The epoch.</param>
/// <param name="From">The epoch and the position before the first one.</param>
/// <param name="To">The position after the last one.</param>
internal sealed record StoredRange(Guid Queue, long Epoch, (long Epoch, long Position) From, long To)
{
    public (long Epoch, long Position) From { get; private set; } = From;

    public long To { get; private set; } = To;

    /// <summary>Whether all messages of a run are in the range.</summary>
    public bool Holds(in MessageRun run) => run.QueueId == Queue && run.Epoch == Epoch && run.To <= To && From.CompareTo((run.FromEpoch, run.From)) <= 0;

    /// <summary>Adds the run before the range.</summary>
    /// <param name="run">The run.</param>
    /// <param name="leastTo">The position that the last run must reach.</param>
    /// <returns>False if messages between the run and the range are missing.</returns>
    public bool TryExtend(in MessageRun run, long leastTo)
    {
        var start = (run.FromEpoch, run.From);
        if (To < 0)
        {
            (From, To) = (start, run.To);
            return run.To >= leastTo;
        }

        var touches = (run.Epoch, run.To).CompareTo(From) >= 0;
        From = start.CompareTo(From) < 0 ? start : From;
        return touches;
    }
}
