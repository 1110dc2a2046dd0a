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

/// <summary>The names of the faults on the command line.</summary>
internal static class PlantedFaults
{
    public static PlantedFault Parse(string name) => name switch
    {
        "none" => PlantedFault.None,
        "commit-first" => PlantedFault.CommitFirst,
        "no-flag" => PlantedFault.NoFlag,
        "no-order" => PlantedFault.NoOrder,
        "more-attempts" => PlantedFault.MoreAttempts,
        _ => throw new ArgumentException($"'{name}' is not a fault: commit-first, no-flag, no-order, more-attempts."),
    };

    public static string NameOf(PlantedFault fault) => fault switch
    {
        PlantedFault.CommitFirst => "commit-first",
        PlantedFault.NoFlag => "no-flag",
        PlantedFault.NoOrder => "no-order",
        PlantedFault.MoreAttempts => "more-attempts",
        _ => "none",
    };
}
