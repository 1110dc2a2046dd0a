namespace BufferedMessages.Bridges;

/// <summary>A bridge in either direction, for the host.</summary>
internal interface IBridge : IAsyncDisposable
{
    IBridgeLoop Loop { get; }
}
