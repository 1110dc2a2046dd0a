using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>The last id of a stream, and the chain that its last entry belongs to.</summary>
/// <param name="LastId">The last id that the server gave; 0-0 if the stream does not exist. Its entry may be deleted.</param>
/// <param name="Queue">The queue of the last run; null if the last id is not one of a run, so that no chain can go on.</param>
/// <param name="Epoch">The epoch of the last run.</param>
internal readonly record struct StreamTop(StreamOffset LastId, Guid? Queue, long Epoch)
{
    public static async Task<StreamTop> ReadAsync(RedisConnection connection, RedisKey key, CancellationToken cancellationToken)
    {
        try
        {
            // The last id and not only the last entry: if the last entries were deleted by hand, the server still refuses ids up to theirs.
            var info = await connection.Database.StreamInfoAsync(key).WaitAsync(cancellationToken).ConfigureAwait(false);
            var lastId = EntryId.Parse(info.LastGeneratedId);
            var last = info.LastEntry;
            return !last.IsNull && EntryId.Parse(last.Id) == lastId && MessageRun.TryParse(EntryFields.Entry(lastId, last.Values), out var run)
                ? new StreamTop(lastId, run.QueueId, run.Epoch)
                : new StreamTop(lastId, null, 0);
        }
        catch (RedisServerException failure) when (RedisFailure.IsMissingKey(failure))
        {
            return default;
        }
        catch (Exception failure) when (RedisFailure.IsOfCommand(failure))
        {
            throw connection.Translate(failure);
        }
    }
}
