namespace BufferedMessages.Bridges;

/// <summary>The loop of a bridge, in either direction.</summary>
internal interface IBridgeLoop
{
    BridgeLink Link { get; }

    /// <summary>The operation of the bridge in metrics and traces, as OpenTelemetry's conventions for messaging name it.</summary>
    string Operation { get; }

    /// <summary>Passes messages on until it is stopped or cannot continue. It ends only with an exception: that of the token, or the one that stops the bridge.</summary>
    Task RunAsync(CancellationToken stop);

    /// <summary>Reads a number from the statistics; null if a bridge of this direction does not have it, or does not have it yet.</summary>
    double? Read(BridgeNumber number);
}
