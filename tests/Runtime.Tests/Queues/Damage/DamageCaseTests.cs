namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Each damage of the list is refused by participants. The tests of the tool go over the same list.</summary>
public abstract class DamageCaseTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Each_damage_is_refused_with_its_file_after_sound_messages_alone()
    {
        foreach (var damage in DamageCase.Of(mode))
        {
            damage.Fill(_directory);
            damage.Make(_directory);
            var sound = damage.Sound().Select(Convert.ToHexString).ToHashSet(StringComparer.Ordinal);
            var read = new List<string>();

            using (var queue = MessageQueue.OpenExisting(_directory.Path))
            {
                var refusals = new Action[]
                {
                    () => ReadAll(queue, read),
                    () => queue.OpenConsumer<RawMessage>("risk").Dispose(),
                    () => queue.OpenProducer().Dispose(),
                    () => _ = queue.GetStatistics(),
                }.Select(action => Record.Exception(action)).OfType<QueueCorruptedException>().ToList();

                Assert.True(refusals.Count > 0, $"{damage}: no participant refuses it");
                Assert.All(refusals, refusal => Assert.Equal(damage.File(_directory), refusal.File));
                Assert.True(sound.IsSupersetOf(read), $"{damage}: a message is read that is not sound");
            }

            Directory.Delete(_directory.Path, recursive: true);
        }
    }

    private static void ReadAll(MessageQueue queue, List<string> read)
    {
        using var reader = queue.OpenReader<RawMessage>();
        while (reader.TryRead(out var delivery))
        {
            read.Add(Convert.ToHexString(delivery.Message.Bytes));
        }
    }

    public sealed class DurableSingle() : DamageCaseTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : DamageCaseTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : DamageCaseTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : DamageCaseTests(QueueMode.Bounded, ProducerMode.Multiple);
}
