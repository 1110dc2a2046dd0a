namespace BufferedMessages;

/// <summary>An event in a queue: something that it did, or that happened to it, without a call that asked for it. Immutable. See <see cref="MessageQueueOptions.OnEvent"/>.</summary>
public sealed class QueueEvent
{
    internal QueueEvent(QueueEventKind kind, string message)
    {
        Kind = kind;
        Message = message;
    }

    /// <summary>Gets the kind of the event, which decides the meaning of the other properties.</summary>
    public QueueEventKind Kind { get; }

    /// <summary>Gets a description of the event in one line of plain English, with the path of the queue.</summary>
    public string Message { get; }

    /// <summary>Gets the consumer name; null if the event is not about one.</summary>
    public string? Consumer { get; internal init; }

    /// <summary>Gets a position in the queue; null if the kind has none.</summary>
    public long? Position { get; internal init; }

    /// <summary>Gets a number of bytes, which counts whole records or segments; null if the kind has none.</summary>
    public long? Bytes { get; internal init; }

    /// <summary>Gets the id of the process whose producer or consumer died; null if the kind has none, or if it is not known.</summary>
    public int? ProcessId { get; internal init; }
}
