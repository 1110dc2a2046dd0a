namespace BufferedMessages.Queues;

/// <summary>The properties that a copy of a message gets in place of those of the message.</summary>
/// <param name="Source">The id of the message; null keeps the source that it has.</param>
/// <param name="Time">The time; null keeps the one that it has.</param>
internal readonly record struct CopyStamps(MessageId? Source = null, DateTimeOffset? Time = null);
