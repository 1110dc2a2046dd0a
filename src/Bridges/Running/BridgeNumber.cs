namespace BufferedMessages.Bridges;

/// <summary>A number of the statistics as metrics and health checks report it.</summary>
/// <param name="Name">Its name, to which metrics add a prefix.</param>
/// <param name="Kind">How it changes.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="Description">A sentence that describes it.</param>
/// <param name="OfForwarder">Reads it; null if forwarders do not have it.</param>
/// <param name="OfReceiver">Reads it; null if receivers do not have it.</param>
internal sealed record BridgeNumber(
    string Name,
    BridgeNumberKind Kind,
    string Unit,
    string Description,
    Func<ForwarderStatistics, long>? OfForwarder = null,
    Func<ReceiverStatistics, double?>? OfReceiver = null)
{
    /// <summary>All numbers.</summary>
    public static IReadOnlyList<BridgeNumber> All { get; } =
    [
        new("sent", BridgeNumberKind.Count, "{message}", "Messages that were sent to the stream, repeated ones included.", static forwarder => forwarder.Sent),
        new("confirmed", BridgeNumberKind.Count, "{message}", "Messages that the broker has confirmed, repeated ones included.", static forwarder => forwarder.Confirmed),
        new("refused", BridgeNumberKind.Count, "{run}", "Runs that the broker has refused.", static forwarder => forwarder.Refused),
        new("in_flight", BridgeNumberKind.Amount, "{run}", "Runs that are sent and not confirmed.", static forwarder => forwarder.InFlightRuns),
        new("lag", BridgeNumberKind.Amount, "By", "Bytes of the queue that are not confirmed.", static forwarder => forwarder.LagBytes),
        new("received", BridgeNumberKind.Count, "{message}", "Messages that were published in the destination.", OfReceiver: static receiver => receiver.Received),
        new("duplicates", BridgeNumberKind.Count, "{message}", "Messages that were dropped because they had come before.", OfReceiver: static receiver => receiver.Duplicates),
        new("holes", BridgeNumberKind.Count, "{run}", "Runs that were dropped because messages before them were missing.", OfReceiver: static receiver => receiver.Holes),
        new("foreign", BridgeNumberKind.Count, "{entry}", "Entries of the stream that were not written by a bridge.", OfReceiver: static receiver => receiver.Foreign),
        new("journal_age", BridgeNumberKind.Age, "s", "Time since the journal was written.", OfReceiver: static receiver => receiver.JournalAge?.TotalSeconds),
        new("deletions", BridgeNumberKind.Count, "{deletion}", "Times that messages were gone because retention had deleted them.", static forwarder => forwarder.Deletions, static receiver => receiver.Deletions),
        new("dead_letters", BridgeNumberKind.Count, "{message}", "Messages or entries that went to the dead letters.", static forwarder => forwarder.DeadLetters, static receiver => receiver.DeadLetters),
        new("reconnects", BridgeNumberKind.Count, "{connection}", "Times that the bridge has connected again.", static forwarder => forwarder.Reconnects, static receiver => receiver.Reconnects),
    ];
}

/// <summary>The ways in which a number changes.</summary>
internal enum BridgeNumberKind
{
    /// <summary>It only rises, and stays in its series when the bridge is closed.</summary>
    Count,

    /// <summary>It rises and falls; bridges of one series add theirs up.</summary>
    Amount,

    /// <summary>It is a time; of bridges of one series the longest is recorded.</summary>
    Age,
}
