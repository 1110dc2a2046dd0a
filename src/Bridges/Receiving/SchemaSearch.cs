namespace BufferedMessages.Bridges;

/// <summary>The search for the schema of a receiver that began in the middle of a stream: forwarders repeat it now and then.</summary>
internal static class SchemaSearch
{
    /// <summary>Reads on until the schema comes.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">Where to begin.</param>
    /// <param name="fingerprint">The fingerprint of the schema.</param>
    /// <param name="stop">Ends the search.</param>
    public static async Task<MessageRun> FindAsync(IMessageStream stream, StreamOffset offset, ulong fingerprint, CancellationToken stop)
    {
        var reader = await stream.OpenReaderAsync(StreamStart.At(offset), stop).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        while (true)
        {
            var entry = await reader.ReadAsync(stop).ConfigureAwait(false);
            if (MessageRun.TryParse(entry, out var run) && run.Kind == RunKind.Schema && run.Fingerprint == fingerprint)
            {
                return new MessageRun(run.Header.ToArray(), run.Body.ToArray());
            }
        }
    }
}
