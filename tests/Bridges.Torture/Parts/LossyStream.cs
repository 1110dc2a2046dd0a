namespace BufferedMessages.Bridges.Torture;

/// <summary>
/// A stream whose broker sometimes loses a run and keeps the next ones, as after a change of the leader: the lost run and all after it are not confirmed, and the connection ends some runs later.
/// </summary>
internal sealed class LossyStream(IMessageStream stream, Random random) : IMessageStream
{
    private const int RunsToLoss = 300;
    private const int RunsAfterLoss = 3;

    public string Name => stream.Name;

    public string System => stream.System;

    public int MaxBodyBytes => stream.MaxBodyBytes;

    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => new Writer(await stream.OpenWriterAsync(cancellationToken), 1 + random.Next(RunsToLoss));

    public ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => stream.OpenReaderAsync(start, cancellationToken);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private sealed class Writer(IRunWriter writer, int lost) : IRunWriter
    {
        private int _written;

        // The runs after the lost one have one more number here than at the broker.
        public long Confirmed => Math.Min(writer.Confirmed, lost - 1);

        public ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
        {
            _written++;
            if (_written > lost + RunsAfterLoss)
            {
                throw new IOException("The connection is lost.");
            }

            return _written == lost ? ValueTask.CompletedTask : writer.WriteAsync(run, cancellationToken);
        }

        public async ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
        {
            if (confirmed >= lost - 1)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(50), cancellationToken);
                throw new IOException("The connection is lost.");
            }

            await writer.WaitForConfirmAsync(confirmed, cancellationToken);
        }

        public ValueTask DisposeAsync() => writer.DisposeAsync();
    }
}
