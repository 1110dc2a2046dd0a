namespace BufferedMessages.Bridges;

/// <summary>The bridges between a queue and a stream.</summary>
public static class MessageQueueBridgeExtensions
{
    extension(MessageQueue queue)
    {
        /// <summary>Forwards the messages of the queue to a stream, until the forwarder is disposed.</summary>
        /// <param name="stream">The stream. It must outlive the forwarder, which does not dispose it.</param>
        /// <param name="options">The options; null for the defaults.</param>
        /// <exception cref="QueueInUseException">A forwarder of this name is open.</exception>
        /// <exception cref="ArgumentException">The name is not valid for a file, or is too long for a consumer.</exception>
        /// <exception cref="ArgumentOutOfRangeException">An option is out of its range.</exception>
        /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
        public MessageForwarder ForwardTo(IMessageStream stream, ForwarderOptions? options = null)
        {
            ArgumentNullException.ThrowIfNull(queue);
            ArgumentNullException.ThrowIfNull(stream);
            return new MessageForwarder(queue, stream, options ?? new ForwarderOptions());
        }

        /// <summary>Publishes the messages of a stream in the queue, until the receiver is disposed. An empty queue gets the schema of the messages.</summary>
        /// <param name="stream">The stream. It must outlive the receiver, which does not dispose it.</param>
        /// <param name="options">The options; null for the defaults.</param>
        /// <exception cref="QueueInUseException">A receiver of this name is open.</exception>
        /// <exception cref="ArgumentException">The name is not valid for a file.</exception>
        /// <exception cref="ArgumentOutOfRangeException">An option is out of its range.</exception>
        /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
        /// <exception cref="QueueCorruptedException">The journal is damaged.</exception>
        /// <exception cref="NotSupportedException">A later version wrote the journal.</exception>
        public MessageReceiver ReceiveFrom(IMessageStream stream, ReceiverOptions? options = null)
        {
            ArgumentNullException.ThrowIfNull(queue);
            ArgumentNullException.ThrowIfNull(stream);
            return new MessageReceiver(queue, stream, options ?? new ReceiverOptions());
        }
    }
}
