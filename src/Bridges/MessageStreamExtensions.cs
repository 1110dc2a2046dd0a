namespace BufferedMessages.Bridges;

/// <summary>Extension methods to read a stream without a queue.</summary>
public static class MessageStreamExtensions
{
    extension(IMessageStream stream)
    {
        /// <summary>
        /// Reads the runs of the stream in place, without a queue. As a receiver does, it drops repeated messages and refuses holes. The caller must remember the
        /// <see cref="ReceivedRun{TPayload}.Offset"/> at which to go on after a restart, and must start a new loop when the connection is lost.
        /// </summary>
        /// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
        /// <param name="start">Where to begin; by default at the first entry.</param>
        /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
        /// <returns>The runs. Each is valid until the loop asks for the next one.</returns>
        /// <exception cref="SchemaMismatchException">
        /// The messages have another schema than the view. Entries of the stream hold the schema: a loop that begins after such an entry gets the messages up to the next one without this check.
        /// </exception>
        /// <exception cref="IOException">
        /// The connection is lost; or messages of a queue are missing for 30 seconds, for example because retention deleted entries before they were read. The text of the exception then names the
        /// offset at which the next loop begins. The time in which the caller handles runs does not count.
        /// </exception>
        /// <exception cref="NotSupportedException">A later version of the bridge wrote an entry.</exception>
        /// <exception cref="FormatException">A schema in the stream is damaged.</exception>
        public IAsyncEnumerable<ReceivedRun<TPayload>> ReadRunsAsync<TPayload>(StreamStart start = default, CancellationToken cancellationToken = default)
            where TPayload : IQueuePayload<TPayload>, allows ref struct
        {
            ArgumentNullException.ThrowIfNull(stream);
            return RunReading.ReadAsync<TPayload>(stream, start, RunReading.HoleTimeout, cancellationToken);
        }
    }
}
