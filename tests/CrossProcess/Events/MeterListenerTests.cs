namespace BufferedMessages.CrossProcess.Events;

public sealed class MeterListenerTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_listener_that_throws_ends_no_process_and_the_next_participant_brings_the_instruments()
    {
        using var peer = Peer.Start(nameof(EventParts.ListenBadly), _directory.Queue);
        Assert.Equal("thrown", peer.Hear());
        peer.Tell();

        Assert.Equal("instruments", peer.Hear());
        Assert.Equal($"{EventParts.AllInstruments}", peer.Hear());
        Assert.Equal("1", peer.Hear());
    }
}
