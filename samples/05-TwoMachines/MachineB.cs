using System.Globalization;
using BufferedMessages.Bridges;
using Spectre.Console;

namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The machine that receives the stream into its own queue, reads that in place, and shows a table.</summary>
internal static class MachineB
{
    public const string Role = "--machine-b";

    private const int Rows = 12;
    private static readonly TimeSpan Refresh = TimeSpan.FromMilliseconds(200);

    public static async Task<int> RunAsync(TwoMachinesOptions options, CancellationToken stop)
    {
        using var queue = MessageQueue.Open(options.QueueB);
        await using var stream = Broker.OpenStream(options);
        await using var receiver = queue.ReceiveFrom(stream);
        var totals = new Totals();
        var counting = Task.Run(() => CountAsync(queue, totals, stop), stop);
        if (options.IsPlain)
        {
            await await Task.WhenAny(counting, receiver.Completion);
        }
        else
        {
            await ShowAsync(totals, receiver, counting);
        }

        Console.WriteLine($"{totals.Files} files, {totals.Bytes} bytes, {totals.Missing} missing, {totals.Repeated} repeated");
        return totals.Missing + totals.Repeated == 0 ? 0 : 1;
    }

    // The totals are counted anew from the queue's first message, so a reader that was killed has nothing to remember.
    private static async Task CountAsync(MessageQueue queue, Totals totals, CancellationToken stop)
    {
        using var reader = queue.OpenReader<FileSeenBufferedMessage>();
        await foreach (var delivery in reader.ReadAllAsync(stop))
        {
            if (!totals.Count(delivery.Message))
            {
                return;
            }
        }
    }

    private static async Task ShowAsync(Totals totals, MessageReceiver receiver, Task counting) =>
        await AnsiConsole.Live(Draw(totals, receiver)).StartAsync(async display =>
        {
            while (await Task.WhenAny(counting, receiver.Completion, Task.Delay(Refresh)) is var first && first != counting)
            {
                await first;
                display.UpdateTarget(Draw(totals, receiver));
            }

            await counting;
            display.UpdateTarget(Draw(totals, receiver));
        });

    private static Table Draw(Totals totals, MessageReceiver receiver)
    {
        var table = new Table().Border(TableBorder.Rounded);
        table.AddColumn("Extension");
        table.AddColumn(new TableColumn("Files").RightAligned());
        table.AddColumn(new TableColumn("Bytes").RightAligned());
        foreach (var (extension, files, bytes) in totals.Largest(Rows))
        {
            table.AddRow(new Text(Name(extension)), new Text(Number(files)), new Text(Number(bytes)));
        }

        var statistics = receiver.GetStatistics();
        return table.Caption(new TableTitle($"{Number(totals.Files)} files, {Number(totals.Bytes)} bytes\n{statistics.State}, {Number(statistics.Duplicates)} repeated messages dropped"));
    }

    // A name may hold anything, also control characters.
    private static string Name(string extension) => extension.Length == 0 ? "(none)" : string.Concat(extension.Select(static c => char.IsControl(c) ? '?' : c));

    private static string Number(long value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
