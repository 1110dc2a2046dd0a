namespace BufferedMessages.Bridges;

/// <summary>The reading of a stream without a queue.</summary>
public static class MessageStreamExtensions
{
    extension(IMessageStream stream)
    {
        /// <summary>
        /// Reads the runs of the stream in place, without a queue. Repeated messages are dropped and holes refused as by a receiver; where to go on after a restart is the caller's to remember, as
        /// <see cref="ReceivedRun{TPayload}.Offset"/>. Lost connections are the caller's to repeat too.
        /// </summary>
        /// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
        /// <param name="start">Where to begin; by default at the first entry.</param>
        /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
        /// <returns>The runs. Each is valid until the loop asks for the next one.</returns>
        /// <exception cref="SchemaMismatchException">
        /// The messages have another schema than the view. Entries of the stream hold the schema: a loop that begins after one gets the messages before the next one without this check.
        /// </exception>
        /// <exception cref="IOException">
        /// The connection is lost, or messages of a queue are missing for 30 seconds, as when retention has deleted entries before they were read: the text of the exception names the offset at which the next
        /// loop begins. The time in which the caller handles runs does not count.
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
