namespace BufferedMessages.Bridges.Torture;

/// <summary>The options of a run.</summary>
internal sealed record TortureOptions
{
    /// <summary>The least time of killing; checking comes after it.</summary>
    public required int Seconds { get; init; }

    /// <summary>rabbitmq or redis.</summary>
    public required string Broker { get; init; }

    /// <summary>The longest pause between two kills.</summary>
    public required int PauseMilliseconds { get; init; }

    /// <summary>The time between two restarts of the broker; 0 for none.</summary>
    public required int RestartSeconds { get; init; }

    /// <summary>The time between two crashes of the source's machine; 0 for none.</summary>
    public required int CutSeconds { get; init; }

    public required PlantedFault Fault { get; init; }

    public required int Seed { get; init; }
}
