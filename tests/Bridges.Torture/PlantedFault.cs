namespace BufferedMessages.Bridges.Torture;

/// <summary>A mistake that is planted in a receiver, to see that the checker reports its effect.</summary>
internal enum PlantedFault
{
    None,

    /// <summary>The journal counts a run before its messages are published.</summary>
    JournalFirst,

    /// <summary>A run after a hole is accepted: only the highest position counts.</summary>
    NoChain,

    /// <summary>Positions are compared without their epochs.</summary>
    NoEpoch,
}
