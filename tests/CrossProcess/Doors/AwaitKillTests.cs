namespace BufferedMessages.CrossProcess.Doors;

/// <summary>A consumer is killed between an await and the commit of the message that it holds.</summary>
public sealed class AwaitKillTests : IDisposable
{
    // Each comes at the same place, between the await and the commit, so that some show what many would.
    private const int Kills = 10;
    private const int Messages = Kills * DoorParts.Period;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Kills_lose_nothing_and_repeat_at_most_the_message_at_hand_flagged(bool isShared)
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        var message = new byte[NumberedMessage.MaxBytes];
        for (var number = 0; number < Messages; number++)
        {
            producer.Publish(message.AsSpan(0, NumberedMessage.Write(message, 0, number)));
        }

        for (var kill = 0; kill < Kills; kill++)
        {
            using var consumer = Peer.Start(nameof(DoorParts.HoldAcrossAwaits), _directory.Queue, _directory.Notes, isShared.ToString());
            Assert.Equal("holding", consumer.Hear());
            consumer.Kill();
        }

        var effects = File.ReadAllLines(_directory.Notes);
        var expected = from number in Enumerable.Range(0, Messages - DoorParts.Period + DoorParts.HeldRest + 1)
                       let isHeld = number % DoorParts.Period == DoorParts.HeldRest
                       from effect in isHeld && number < Messages - DoorParts.Period ? [$"{number} new", $"{number} again"] : new[] { $"{number} new" }
                       select effect;
        Assert.Equal(expected, effects);
        using var rest = queue.OpenConsumer<RawMessage>(DoorParts.Name, new() { Shared = isShared });
        Assert.True(rest.TryRead(out var last, TimeSpan.FromSeconds(30)));
        Assert.True(last.IsRedelivery);
        Assert.Equal(Messages - DoorParts.Period + DoorParts.HeldRest, NumberedMessage.Read(last.Message.Bytes).Number);
        last.Commit();
        Assert.True(rest.TryRead(out var next));
        Assert.False(next.IsRedelivery);
        next.Dispose();
    }
}
