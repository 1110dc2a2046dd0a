namespace BufferedMessages.Bridges.Tests;

/// <summary>Makes the runs of a queue, each after the one before.</summary>
internal sealed class RunChain(Guid queue, long epoch = 0, long fromEpoch = 0, long position = 0)
{
    private ChainPlace _end = new(fromEpoch, position);

    public Guid Queue { get; } = queue;

    public static RunChain New() => new(Guid.NewGuid());

    public MessageRun Next(int messages = 1, int payloadBytes = 10)
    {
        using var builder = new RunBuilder(64);
        var start = _end;
        for (var i = 0; i < messages; i++)
        {
            var at = _end.Epoch == epoch ? _end.Position : 0;
            var payload = new byte[payloadBytes];
            Random.Shared.NextBytes(payload);
            _end = new ChainPlace(epoch, at + RunRecord.Bytes(payloadBytes, 0));
            builder.Add(at, _end, payload, []);
        }

        return Copy(builder.Complete(Queue, start, RunFlags.None, 0));
    }

    /// <summary>A run with the schema, which has no messages.</summary>
    public MessageRun Schema()
    {
        using var builder = new RunBuilder(64);
        builder.SetSchema("schema"u8, _end with { Epoch = epoch });
        return Copy(builder.Complete(Queue, _end, RunFlags.None, 0));
    }

    public MessageRun[] Several(int count) => [.. Enumerable.Range(0, count).Select(_ => Next())];

    /// <summary>The builder's memory goes back to the pool.</summary>
    private static MessageRun Copy(MessageRun run) => new(run.Header.ToArray(), run.Body.ToArray());
}
