using StackExchange.Redis;

namespace BufferedMessages.Bridges;

/// <summary>The fields of an entry.</summary>
internal static class EntryFields
{
    public static readonly RedisValue Run = "run";
    public static readonly RedisValue Body = "body";

    /// <summary>The entry of a run. Its memory is the run's, and is not copied.</summary>
    public static NameValueEntry[] Of(in MessageRun run) => [new(Run, run.Header), new(Body, run.Body)];

    /// <summary>Takes an entry as one of the contract. Without the field "run" another program wrote it.</summary>
    public static MessageStreamEntry Entry(StreamOffset id, NameValueEntry[] fields)
    {
        ReadOnlyMemory<byte> header = default;
        ReadOnlyMemory<byte> body = default;
        foreach (var field in fields)
        {
            if (field.Name == Run)
            {
                header = field.Value;
            }
            else if (field.Name == Body)
            {
                body = field.Value;
            }
        }

        return new MessageStreamEntry(id, header, body);
    }
}
