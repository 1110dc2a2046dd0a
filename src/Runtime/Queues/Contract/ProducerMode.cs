namespace BufferedMessages;

/// <summary>The number of producers that a queue can have at a time. Fixed when the queue is created.</summary>
public enum ProducerMode
{
    /// <summary>One, which publishes without interlocked operations. A successor takes over after it is closed or dead.</summary>
    Single = 1,

    /// <summary>Any number, in any processes. Each claims its record by one compare-and-swap.</summary>
    Multiple = 2,
}
