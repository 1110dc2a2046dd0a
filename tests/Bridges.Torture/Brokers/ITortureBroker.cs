namespace BufferedMessages.Bridges.Torture;

/// <summary>A broker of its own for a run.</summary>
internal interface ITortureBroker : IAsyncDisposable
{
    /// <summary>Its product and its address, as the parts get them.</summary>
    string Address { get; }

    /// <summary>Ends it by -9.</summary>
    void Kill();

    /// <summary>Ends it as an operator does.</summary>
    Task StopAsync();

    /// <summary>Starts it again on its data, and waits until it answers.</summary>
    Task StartAgainAsync();
}
