namespace BufferedMessages.Bridges;

/// <summary>The search for the schema of a receiver that began in the middle of a stream: forwarders repeat it now and then.</summary>
internal static class SchemaSearch
{
    /// <summary>Reads on until the schema comes. If its forwarder sends nothing for too long, the schema is looked for in the entries before the run.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">The offset of the run.</param>
    /// <param name="fingerprint">The fingerprint of the schema.</param>
    /// <param name="timeout">How long to wait for the forwarder, which may be idle or gone.</param>
    /// <param name="stop">Ends the search.</param>
    /// <exception cref="IOException">The stream does not have the schema, or the connection is lost.</exception>
    /// <exception cref="FormatException">A schema in the stream is damaged.</exception>
    public static async Task<QueueContent> FindAsync(IMessageStream stream, StreamOffset offset, ulong fingerprint, TimeSpan timeout, CancellationToken stop)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stop);
        limit.CancelAfter(timeout);
        QueueContent? found;
        try
        {
            found = await ReadAsync(stream, StreamStart.At(offset), end: null, fingerprint, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!stop.IsCancellationRequested)
        {
            found = await ReadAsync(stream, StreamStart.Earliest, offset, fingerprint, stop).ConfigureAwait(false);
        }

        return found ?? throw new IOException(
            $"Stream '{stream.Name}' does not have the schema of the run at offset {offset} any more, and its forwarder has sent none for {timeout.TotalSeconds:F0} s. It sends one with a later run.");
    }

    // Null if the schema does not come before the end.
    private static async Task<QueueContent?> ReadAsync(IMessageStream stream, StreamStart start, StreamOffset? end, ulong fingerprint, CancellationToken stop)
    {
        var reader = await stream.OpenReaderAsync(start, stop).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        while (true)
        {
            var entry = await reader.ReadAsync(stop).ConfigureAwait(false);
            if (entry.Offset >= end)
            {
                return null;
            }

            if (MessageRun.TryParse(entry, out var run) && run.Kind == RunKind.Schema && VersionIn(RunContent.Decode(run), fingerprint) is { } content)
            {
                return content;
            }
        }
    }

    // A later schema comes with the earlier versions.
    private static QueueContent? VersionIn(QueueContent content, ulong fingerprint) =>
        content.Fingerprint == fingerprint ? content
        : content.Versions.FirstOrDefault(version => version.Fingerprint == fingerprint) is { } earlier ? content with { Text = earlier.Text, Fingerprint = fingerprint }
        : null;
}
