namespace BufferedMessages;

/// <summary>The storage of a queue's messages. Fixed when the queue is created.</summary>
public enum QueueMode
{
    /// <summary>In segment files of a directory: messages stay until retention deletes them.</summary>
    Durable = 1,

    /// <summary>In a fixed number of slots that are reused in turn: memory never grows, and producers wait for the slowest consumer name.</summary>
    Bounded = 2,
}
