namespace BufferedMessages.CrossProcess.Doors;

/// <summary>A consumer is killed between an await and the commit of the message that it holds.</summary>
public sealed class AwaitKillTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false, 100)]
    [InlineData(true, 30)]
    public void A_hundred_kills_lose_nothing_and_repeat_at_most_the_message_at_hand_flagged(bool isShared, int kills)
    {
        using var queue = Parts.Open(_directory.Queue);
        using var producer = queue.OpenProducer();
        var message = new byte[NumberedMessage.MaxBytes];
        var messages = kills * DoorParts.Period;
        for (var number = 0; number < messages; number++)
        {
            producer.Publish(message.AsSpan(0, NumberedMessage.Write(message, 0, number)));
        }

        for (var kill = 0; kill < kills; kill++)
        {
            using var consumer = Peer.Start(nameof(DoorParts.HoldAcrossAwaits), _directory.Queue, _directory.Notes, isShared.ToString());
            Assert.Equal("holding", consumer.Hear());
            consumer.Kill();
        }

        var effects = File.ReadAllLines(_directory.Notes);
        var expected = from number in Enumerable.Range(0, messages - DoorParts.Period + DoorParts.HeldRest + 1)
                       let isHeld = number % DoorParts.Period == DoorParts.HeldRest
                       from effect in isHeld && number < messages - DoorParts.Period ? [$"{number} new", $"{number} again"] : new[] { $"{number} new" }
                       select effect;
        Assert.Equal(expected, effects);
        using var rest = queue.OpenConsumer<RawMessage>(DoorParts.Name, new() { Shared = isShared });
        Assert.True(rest.TryRead(out var last, TimeSpan.FromSeconds(30)));
        Assert.True(last.IsRedelivery);
        Assert.Equal(messages - DoorParts.Period + DoorParts.HeldRest, NumberedMessage.Read(last.Message.Bytes).Number);
        last.Commit();
        Assert.True(rest.TryRead(out var next));
        Assert.False(next.IsRedelivery);
        next.Dispose();
    }
}
