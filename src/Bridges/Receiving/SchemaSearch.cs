namespace BufferedMessages.Bridges;

/// <summary>The search for the schema of a receiver that began in the middle of a stream: forwarders repeat it now and then.</summary>
/// <param name="stream">The stream.</param>
/// <param name="timeout">How long to wait for the forwarder, which may be idle or gone.</param>
internal sealed class SchemaSearch(IMessageStream stream, TimeSpan timeout)
{
    // How far the searches for a schema have read: it may be further away than one search gets in its time.
    private (ulong Fingerprint, StreamOffset Offset) _reached;

    /// <summary>Reads on until the schema comes. If that takes too long, the schema is looked for in the entries before the run.</summary>
    /// <param name="offset">The offset of the run.</param>
    /// <param name="fingerprint">The fingerprint of the schema.</param>
    /// <param name="stop">Ends the search.</param>
    /// <exception cref="IOException">The schema was not found, or the connection is lost. The next search for it continues where this one ended.</exception>
    /// <exception cref="FormatException">A schema in the stream is damaged.</exception>
    public async Task<QueueContent> FindAsync(StreamOffset offset, ulong fingerprint, CancellationToken stop)
    {
        if (_reached.Fingerprint != fingerprint || _reached.Offset < offset)
        {
            _reached = (fingerprint, offset);
        }

        QueueContent? found;
        try
        {
            found = await ReadAsync(StreamStart.At(_reached.Offset), end: null, fingerprint, stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!stop.IsCancellationRequested)
        {
            found = await ReadBeforeAsync(offset, fingerprint, stop).ConfigureAwait(false);
        }

        return found ?? throw new IOException(
            $"Stream '{stream.Name}' does not have the schema of the run at offset {offset} before that run, nor in the entries after it that came within {timeout.TotalSeconds:F0} s. The search goes on " +
            "from there; the forwarder sends its schema with a later run.");
    }

    /// <summary>Forgets how far the searches have read, since the stream was made anew.</summary>
    public void Reset() => _reached = default;

    // The run is in the stream, so an entry comes soon. If none does, the stream may have been deleted, which the next session finds out.
    private async Task<QueueContent?> ReadBeforeAsync(StreamOffset offset, ulong fingerprint, CancellationToken stop)
    {
        try
        {
            return await ReadAsync(StreamStart.Earliest, offset, fingerprint, stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception) when (!stop.IsCancellationRequested)
        {
            throw new IOException(
                $"Stream '{stream.Name}' has returned no entry for {timeout.TotalSeconds:F0} s in the search for the schema of the run at offset {offset}, although that run was there. The receiver " +
                "connects again: the stream was deleted, or the broker is slow.",
                exception);
        }
    }

    // Null if the schema does not come before the end. With an end, the timeout is that of each entry, since there may be many of them.
    private async Task<QueueContent?> ReadAsync(StreamStart start, StreamOffset? end, ulong fingerprint, CancellationToken stop)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stop);
        limit.CancelAfter(timeout);
        var reader = await stream.OpenReaderAsync(start, limit.Token).ConfigureAwait(false);
        await using var closing = reader.ConfigureAwait(false);
        while (true)
        {
            var entry = await reader.ReadAsync(limit.Token).ConfigureAwait(false);
            if (entry.Offset >= end)
            {
                return null;
            }

            if (end is not null)
            {
                limit.CancelAfter(timeout);
            }

            if (MessageRun.TryParse(entry, out var run) && run.Kind == RunKind.Schema && VersionIn(RunContent.Decode(run), fingerprint) is { } content)
            {
                return content;
            }

            if (end is null)
            {
                _reached.Offset = entry.Offset;
            }
        }
    }

    // A later schema comes with the earlier versions.
    private static QueueContent? VersionIn(QueueContent content, ulong fingerprint) =>
        content.Fingerprint == fingerprint ? content
        : content.Versions.FirstOrDefault(version => version.Fingerprint == fingerprint) is { } earlier ? content with { Text = earlier.Text, Fingerprint = fingerprint }
        : null;
}
