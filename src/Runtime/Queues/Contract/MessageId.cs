namespace BufferedMessages;

/// <summary>
/// The name of a message, which no other message ever has. A program that stores it with the effect of the message recognizes the message when it comes
/// again, also after the queue was made anew at the same path, and after a crash of the machine cut off the queue's end.
/// </summary>
/// <param name="QueueId">The id of the queue.</param>
/// <param name="Epoch">The epoch of the queue in which the message was published. The repair after a crash of the machine begins another one.</param>
/// <param name="Position">The position of the message in the queue, in bytes. Within an epoch, later messages have higher positions.</param>
public readonly record struct MessageId(Guid QueueId, long Epoch, long Position);
