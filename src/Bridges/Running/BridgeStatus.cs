namespace BufferedMessages.Bridges;

/// <summary>The state of a bridge at a time. Immutable.</summary>
/// <param name="State">The state.</param>
/// <param name="Failure">The failure after which the bridge tries again, or has stopped; null if there is none.</param>
/// <param name="Since">The time since which the bridge is connected, is not connected, or is stopped. Further attempts to connect do not change it.</param>
internal sealed record BridgeStatus(BridgeState State, Exception? Failure, DateTimeOffset Since);
