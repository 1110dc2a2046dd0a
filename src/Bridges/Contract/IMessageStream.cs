namespace BufferedMessages.Bridges;

/// <summary>
/// A stream of a broker: a log that keeps entries after they are read. A broker's package implements it; <see cref="MessageForwarder"/> appends runs of a queue's messages to it, and
/// <see cref="MessageReceiver"/> reads them. Thread-safe; each writer and reader serves one thread at a time.
/// </summary>
public interface IMessageStream : IAsyncDisposable
{
    /// <summary>Gets the name of the stream, which is the default name of its bridges.</summary>
    string Name { get; }

    /// <summary>Gets the name of the broker's product in metrics and traces: OpenTelemetry's <c>messaging.system</c>, for example "rabbitmq".</summary>
    string System { get; }

    /// <summary>Gets the maximum size of the body of a run, in bytes.</summary>
    int MaxBodyBytes { get; }

    /// <summary>Connects to the broker to append runs. Creates the stream if it does not exist.</summary>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>A writer, which the caller disposes. It does not reconnect after a failure: the caller opens another one.</returns>
    /// <exception cref="IOException">The broker cannot be reached, or is not ready. Try again later.</exception>
    ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken);

    /// <summary>Connects to the broker to read entries.</summary>
    /// <param name="start">The first entry to read. If retention has deleted it, the reader begins at the first entry after it.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>A reader, which the caller disposes. It does not reconnect after a failure: the caller opens another one.</returns>
    /// <exception cref="IOException">The broker cannot be reached, or is not ready. Try again later.</exception>
    ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken);
}

/// <summary>A connection that appends runs to a stream, in the order of the calls. Serves one thread at a time.</summary>
public interface IRunWriter : IAsyncDisposable
{
    /// <summary>Gets the number of runs of this writer that the broker has confirmed. They, and all runs before them, are stored in the stream.</summary>
    long Confirmed { get; }

    /// <summary>Passes a run to the connection. Its memory may be reused when the run is confirmed, or when the writer is disposed.</summary>
    /// <param name="run">The run.</param>
    /// <param name="cancellationToken">Ends the wait for the connection.</param>
    /// <exception cref="IOException">The connection is lost. It is not known which runs after <see cref="Confirmed"/> are in the stream.</exception>
    /// <exception cref="RunRefusedException">The broker refused a run.</exception>
    ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken);

    /// <summary>
    /// Waits until the broker has confirmed more runs, or the connection is lost. One wait may be open while runs are written. Another one begins only after it has ended, even if it was cancelled.
    /// </summary>
    /// <param name="confirmed">The number of confirmed runs that the caller already knows.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="WriteAsync" path="/exception"/>
    ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken);
}

/// <summary>A connection that reads the entries of a stream in order. Serves one thread at a time.</summary>
public interface IRunReader : IAsyncDisposable
{
    /// <summary>Releases the last entry, and waits for the next one.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The entry. Its memory is valid until the next call, and until the reader is disposed.</returns>
    /// <exception cref="IOException">The connection is lost.</exception>
    ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken);
}
