using System.Globalization;

namespace BufferedMessages.Bridges.Torture;

/// <summary>The process that publishes numbered messages in bursts until its input ends.</summary>
internal static class ProducerPart
{
    public const string Name = "produce";

    public const int Burst = 200;

    public static int Run(string directory)
    {
        // With checksums, a repair finds the end of what reached the disk.
        using var queue = MessageQueue.Open(directory, new MessageQueueOptions { Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1) });
        var next = NextNumber(directory);
        using var producer = queue.OpenProducer<NumberedMessage>();
        var isStopped = Task.Run(Console.In.ReadLine);
        while (!isStopped.IsCompleted)
        {
            TakeNumbers(directory, next + Burst);
            for (var i = 0; i < Burst; i++, next++)
            {
                producer.Publish(new NumberedMessage { Number = next, Bytes = NumberedMessage.BytesOf(next) });
            }

            Thread.Sleep(10);
        }

        return 0;
    }

    /// <summary>The first number that no burst has taken.</summary>
    public static long NextNumber(string directory) =>
        File.Exists(NumberFile(directory)) ? long.Parse(File.ReadAllText(NumberFile(directory)), CultureInfo.InvariantCulture) : 0;

    // Numbers are taken before they are published, in one step: after a crash none is used twice.
    private static void TakeNumbers(string directory, long end)
    {
        File.WriteAllText(NumberFile(directory) + ".creating", end.ToString(CultureInfo.InvariantCulture));
        File.Move(NumberFile(directory) + ".creating", NumberFile(directory), overwrite: true);
    }

    private static string NumberFile(string directory) => directory + ".next";
}
