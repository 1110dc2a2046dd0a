namespace BufferedMessages.Sessions;

/// <summary>The peers of one role.</summary>
internal sealed class PeerGroup : IDisposable
{
    private readonly List<PeerProcess> _peers = [];

    public PeerGroup(string role, int count, SessionOptions options)
    {
        try
        {
            while (_peers.Count < count)
            {
                _peers.Add(PeerProcess.Start(role, options));
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public PeerProcess First => _peers[0];

    public void Order(params ReadOnlySpan<long> order)
    {
        foreach (var peer in _peers)
        {
            peer.Order(order);
        }
    }

    public long[][] Hear() => [.. _peers.Select(peer => peer.Hear())];

    public void Dispose() => _peers.ForEach(peer => peer.Dispose());
}
