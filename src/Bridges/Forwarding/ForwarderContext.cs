namespace BufferedMessages.Bridges;

/// <summary>The parts of a forwarder that its connections share.</summary>
/// <param name="Queue">The queue.</param>
/// <param name="Stream">The stream.</param>
/// <param name="Options">The options.</param>
/// <param name="Counts">The counts.</param>
/// <param name="DeadLetters">The messages that are too large for the stream.</param>
/// <param name="IsDurableOnly">Only messages that are on the disk are sent.</param>
internal sealed record ForwarderContext(MessageQueue Queue, IMessageStream Stream, ForwarderOptions Options, ForwarderCounts Counts, DeadLetters DeadLetters, bool IsDurableOnly);
