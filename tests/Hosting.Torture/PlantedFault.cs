namespace BufferedMessages.Hosting.Torture;

/// <summary>A mistake that is planted in the workers, to see that the checker reports its effect.</summary>
internal enum PlantedFault
{
    None,

    /// <summary>Messages are committed before they are handled.</summary>
    CommitFirst,

    /// <summary>Redeliveries are not told from other messages.</summary>
    NoFlag,

    /// <summary>The handler that should have all messages in order is a group with two workers.</summary>
    NoOrder,

    /// <summary>Messages that kill their process get two attempts too many.</summary>
    MoreAttempts,
}
