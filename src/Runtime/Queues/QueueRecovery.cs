namespace BufferedMessages;

/// <summary>
/// What was done when a durable queue was opened for the first time after the machine had stopped: everything that is whole was kept, up to the
/// first message that is not.
/// </summary>
/// <param name="Position">Where the queue ends now. What was published at this position or behind it is not in the queue any more.</param>
/// <param name="CutBytes">Bytes that were cut off behind it and were not zero; 0 when nothing was lost, or all that was lost never reached the disk.</param>
/// <param name="LostAndFound">The directory with what was cut and a report; null when nothing was cut and no name was moved.</param>
/// <param name="ClampedNames">The consumer names that stood behind the end, and go on at <paramref name="Position"/>.</param>
public sealed record QueueRecovery(long Position, long CutBytes, string? LostAndFound, IReadOnlyList<string> ClampedNames);
