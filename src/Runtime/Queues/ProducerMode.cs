namespace BufferedMessages;

/// <summary>How many producers a queue can have at a time. Fixed when the queue is created.</summary>
public enum ProducerMode
{
    /// <summary>One; it publishes without interlocked operations. A successor takes over when it is closed or dead.</summary>
    Single = 1,

    /// <summary>Any number, in any processes; each claims its record by one compare-and-swap.</summary>
    Multiple = 2,
}
