namespace BufferedMessages;

/// <summary>
/// The unique id of a message: no other message ever has it. A program that stores the id with the effect of the message recognizes the message when it comes
/// again, even after the queue was created anew at the same path, or after a crash of the machine cut off the queue's end.
/// </summary>
/// <param name="QueueId">The id of the queue.</param>
/// <param name="Epoch">The epoch of the queue in which the message was published. The repair after a crash of the machine begins another epoch.</param>
/// <param name="Position">The position of the message in the queue, in bytes. Within an epoch, later messages have higher positions.</param>
public readonly record struct MessageId(Guid QueueId, long Epoch, long Position);
