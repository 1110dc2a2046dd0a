namespace BufferedMessages.Hosting;

/// <summary>The states of a handler of the services.</summary>
public enum MessageHandlerState
{
    /// <summary>The host has not started it.</summary>
    NotStarted,

    /// <summary>It handles messages, or waits for them.</summary>
    Running,

    /// <summary>It was paused by <see cref="MessageHandlerControl.Pause"/>, and begins no message.</summary>
    Paused,

    /// <summary>It begins no message for a time, and then tries one: too many attempts failed in a row, a dead letter could not be stored, or the queue could not be read for a moment.</summary>
    CircuitOpen,

    /// <summary>The host has stopped it.</summary>
    Stopped,

    /// <summary>Its queue can no longer be read: it is damaged, or its files were deleted.</summary>
    Failed,
}
