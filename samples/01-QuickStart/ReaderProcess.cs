using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>The second process: reads the queue and shows what it sees.</summary>
internal static class ReaderProcess
{
    /// <returns>The exit code: 0 when the walk was read to its end.</returns>
    public static int Run(string queueDirectory, bool plain)
    {
        using var queue = MessageQueue.Open(queueDirectory);
        using var consumer = Patience.Open(() => queue.OpenConsumer<FileFoundBufferedMessage>(Reader.ConsumerName));
        using var totals = new Totals(queueDirectory);
        var reader = new Reader(consumer, totals);
        SecondProcess.OnFirstProcessEnded(reader.Stop);

        var watch = Stopwatch.StartNew();
        var reading = Task.Factory.StartNew(reader.ReadToEnd, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (!plain && !Console.IsOutputRedirected)
        {
            LiveTable.Show(reading, reader, totals);
        }

        reading.GetAwaiter().GetResult();
        if (totals.End.Number == 0)
        {
            return 1;
        }

        PrintSummary(reader, totals, watch.Elapsed, withExtensions: plain || Console.IsOutputRedirected);
        return 0;
    }

    private static void PrintSummary(Reader reader, Totals totals, TimeSpan elapsed, bool withExtensions)
    {
        if (withExtensions)
        {
            foreach (var (extension, count) in totals.Largest(LiveTable.Rows))
            {
                Print($"{LiveTable.Name(extension),-20} {count.Files,12} files {count.Bytes,18} bytes");
            }
        }

        PrintLeftOut(totals.End.Links, "symbolic links, which are not followed");
        PrintLeftOut(totals.End.UnreadableDirectories, "directories that cannot be read");
        PrintLeftOut(totals.End.UnsayableNames, "names that are not valid text");

        var sum = totals.Sum();
        var perMessage = reader.Messages == 0 ? 0 : (double)reader.MessageBytes / reader.Messages;
        Print($"The second process read {reader.Messages:N0} messages in place{(reader.Rate == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $", at {reader.Rate:N0} a second while there were any"))}; the walk found {reader.Messages / Math.Max(elapsed.TotalSeconds, 0.001):N0} a second");
        Print($"Between the messages, for the first use of the runtime and new files, it allocated {reader.ThreadBytes - reader.MessageBytes:N0} managed bytes in all");
        Print($"{sum.Files} files, {sum.Bytes} bytes, {perMessage:0.######} bytes allocated per message");
    }

    private static void PrintLeftOut(long count, string what)
    {
        if (count != 0)
        {
            Print($"Left out: {count} {what}");
        }
    }

    private static void Print(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));
}
