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

/// <summary>The names of the faults on the command line.</summary>
internal static class PlantedFaults
{
    public static PlantedFault Parse(string name) => name switch
    {
        "none" => PlantedFault.None,
        "journal-first" => PlantedFault.JournalFirst,
        "no-chain" => PlantedFault.NoChain,
        "no-epoch" => PlantedFault.NoEpoch,
        _ => throw new ArgumentException($"'{name}' is not a fault: journal-first, no-chain, no-epoch."),
    };

    public static string NameOf(PlantedFault fault) => fault switch
    {
        PlantedFault.JournalFirst => "journal-first",
        PlantedFault.NoChain => "no-chain",
        PlantedFault.NoEpoch => "no-epoch",
        _ => "none",
    };
}
