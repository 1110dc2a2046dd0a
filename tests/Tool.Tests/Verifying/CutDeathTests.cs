using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>A cut by hand that dies at one of its steps. Programs use the queue before another repair.</summary>
public sealed class CutDeathTests
{
    private const int Numbers = 3 * QueueDirectory.NumbersInSegment;
    private const int Next = 1_000_000;

    public static TheoryData<ProducerMode, int, int> Cuts()
    {
        var cuts = new TheoryData<ProducerMode, int, int>();
        foreach (var producers in Enum.GetValues<ProducerMode>())
        {
            foreach (var kept in (int[])[10, QueueDirectory.NumbersInSegment, Numbers - 10])
            {
                for (var steps = 0; steps < 8; steps++)
                {
                    cuts.Add(producers, kept, steps);
                }
            }
        }

        return cuts;
    }

    [Theory]
    [MemberData(nameof(Cuts))]
    public async Task A_queue_whose_end_was_being_cut_off_loses_no_message_before_the_end_and_no_new_one(ProducerMode producers, int kept, int steps)
    {
        using var directory = new QueueDirectory(QueueMode.Durable, producers);
        long[] positions;
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("audit"))
        {
            positions = Payload.PublishNumbers(producer, 0, Numbers);
            Payload.ReadNumbers(consumer);
            queue.Flush();
        }

        CutAndDie(directory, positions[kept], steps);

        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("audit"))
        using (var reader = queue.OpenReader<RawMessage>())
        {
            producer.Publish(Payload.Of(Next));
            Assert.Equal([Next], Payload.ReadNumbers(consumer));
            for (var number = 0; number < kept; number++)
            {
                Assert.True(reader.TryRead(out var delivery));
                Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
            }
        }

        var verify = await ToolRun.InProcessAsync("verify", directory.Path);
        Assert.True(verify.Code == 0, verify.Output);
    }

    private static void CutAndDie(QueueDirectory directory, long position, int steps)
    {
        var queue = QueueHandle.Open(directory.Path);
        try
        {
            QueueRepair.RunAlone(queue, () =>
            {
                foreach (var step in new CrashRecovery((FileSegments)queue.Segments, position).Steps.Take(steps))
                {
                    step();
                }
            });
        }
        finally
        {
            queue.Release();
        }
    }
}
