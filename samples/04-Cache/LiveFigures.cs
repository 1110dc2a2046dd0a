using System.Diagnostics;
using System.Globalization;
using Spectre.Console;

namespace BufferedMessages.Samples.Caching;

/// <summary>Shows the figures while another thread looks up: a table that changes twice a second, or a line each second.</summary>
internal static class LiveFigures
{
    // Task.WaitAny throws no error of the task: the caller throws it as itself, which Task.Wait would wrap.
    private static readonly TimeSpan Refresh = TimeSpan.FromMilliseconds(500);

    public static void ShowTable(Task lookingUp, Func<CacheFigures> take)
    {
        var watch = Stopwatch.StartNew();
        AnsiConsole.Live(Draw(take(), watch.Elapsed)).Start(display =>
        {
            // Wait would wrap an error of the task; the caller throws it as it is.
            while (Task.WaitAny([lookingUp], Refresh) < 0)
            {
                display.UpdateTarget(Draw(take(), watch.Elapsed));
            }

            display.UpdateTarget(Draw(take(), watch.Elapsed));
        });
    }

    public static void PrintLines(Task lookingUp, Func<CacheFigures> take)
    {
        while (Task.WaitAny([lookingUp], 2 * Refresh) < 0)
        {
            Console.WriteLine(take());
        }
    }

    private static Table Draw(CacheFigures figures, TimeSpan elapsed)
    {
        var statistics = figures.Statistics;
        var table = new Table().Border(TableBorder.Rounded);
        table.AddColumn("");
        table.AddColumn(new TableColumn("now").RightAligned());
        table.AddColumn(new TableColumn("of").RightAligned());
        Row("Lookups", Number(figures.Lookups), $"{Number((long)(figures.Lookups / elapsed.TotalSeconds))} a second");
        Row("Hits", $"{(100 * figures.HitRate).ToString("0.0", CultureInfo.InvariantCulture)} %", "");
        Row("Memory, MB", CacheFigures.Megabytes(figures.MemoryBytes), CacheFigures.Megabytes(figures.MemoryBudget));
        Row("Disk, MB", CacheFigures.Megabytes(figures.DiskBytes), CacheFigures.Megabytes(figures.DiskBudget));
        Row("Entries", Number(statistics.Entries), $"{Number(statistics.Evicted)} evicted, {Number(statistics.Carried)} carried over");
        Row("Managed bytes allocated per hit", figures.AllocatedPerHit.ToString("0.##", CultureInfo.InvariantCulture), "");
        return table;

        void Row(string name, string now, string of) => table.AddRow(new Text(name), new Text(now), new Text(of));
    }

    private static string Number(long value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
