using BufferedMessages.Queues;
using BufferedMessages.Segments;
using System.Security.Cryptography;

namespace BufferedMessages.CrossProcess;

/// <summary>Restarts of the machine are another boot id in the control file; deaths of processes are real.</summary>
public sealed class MachineRestartTests : IDisposable
{
    private const int BootIdOffset = 1408;
    private const int Rounds = 20;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Killing_all_processes_is_not_taken_for_a_crash_of_the_machine()
    {
        using var notes = new Notes(_directory.Notes);
        using (var producer = Peer.Start(nameof(Parts.Produce), _directory.Queue, _directory.Notes, "0"))
        {
            Assert.Equal("ready", producer.Hear());
            Assert.True(SpinWait.SpinUntil(() => notes[0] > 100, TimeSpan.FromSeconds(60)));
            producer.Kill();
        }

        using var queue = Parts.Open(_directory.Queue);

        Assert.Null(queue.Recovery);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var number = 0L; number < notes[0]; number++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal((0, number), NumberedMessage.Read(delivery.Message.Bytes));
            delivery.Commit();
        }
    }

    [Fact]
    public void A_recoverer_that_is_killed_at_any_moment_is_followed_by_one_that_finishes()
    {
        const int Whole = 5;
        var payload = new byte[Parts.SegmentBytes - SegmentHeader.Bytes - RecordWord.HeaderBytes];
        var random = new Random(20_261_123);
        var repaired = 0;
        for (var round = 0; round < Rounds; round++)
        {
            using (var queue = Parts.Open(_directory.Queue))
            using (var producer = queue.OpenProducer())
            {
                for (var number = 0; number < 40; number++)
                {
                    Array.Fill(payload, (byte)(number + 1));
                    producer.Publish(payload);
                }
            }

            File.Delete(Directory.GetFiles(_directory.Queue, "*.segment").Order(StringComparer.Ordinal).ElementAt(Whole));
            Restart();
            using (var recoverer = Peer.Start(nameof(Parts.OpenQueue), _directory.Queue, "recoverer"))
            {
                Assert.Equal("ready", recoverer.Hear());
                recoverer.Tell();
                Thread.Sleep(random.Next(60));
                recoverer.Kill();
            }

            using (var again = Parts.Open(_directory.Queue))
            using (var producer = again.OpenProducer())
            using (var consumer = again.OpenConsumer<RawMessage>("all"))
            {
                repaired += again.Recovery is null ? 1 : 0;
                Assert.Equal((Whole * Parts.SegmentBytes) + SegmentHeader.Bytes, again.PublishedPosition);
                Assert.NotEmpty(Directory.GetFiles(Path.Combine(_directory.Queue, "lost+found"), "report.txt", SearchOption.AllDirectories));
                producer.Publish("after"u8);
                for (var number = 0; number < Whole; number++)
                {
                    Assert.True(consumer.TryRead(out var delivery));
                    Assert.Equal(-1, delivery.Message.Bytes.IndexOfAnyExcept((byte)(number + 1)));
                    delivery.Commit();
                }

                Assert.True(consumer.TryRead(out var last));
                Assert.Equal("after"u8, last.Message.Bytes);
                last.Commit();
                Assert.False(consumer.TryRead(out _));
            }

            Directory.Delete(_directory.Queue, recursive: true);
        }

        Assert.True(repaired < Rounds, "No recoverer was killed in time: the test tests nothing.");
    }

    private void Restart()
    {
        using var control = new FileStream(Path.Combine(_directory.Queue, "control"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        control.Position = BootIdOffset;
        control.Write(RandomNumberGenerator.GetBytes(16));
    }
}
