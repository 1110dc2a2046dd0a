namespace BufferedMessages.CrossProcess.Doors;

/// <summary>No program without <c>unsafe</c> ends by an access violation, however it uses the queue.</summary>
public sealed class MisuseTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    public void A_program_that_breaks_every_rule_of_use_survives(QueueMode mode, ProducerMode producers)
    {
        using var program = Peer.Start(nameof(MisuseParts.Misuse), _directory.Queue, mode.ToString(), producers.ToString(), "2");

        Assert.Equal("survived", program.Hear());
    }
}
