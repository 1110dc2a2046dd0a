using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace BufferedMessages.Tool;

/// <summary>The pages of the live view.</summary>
/// <param name="call">The command.</param>
/// <param name="watched">The queues and caches.</param>
/// <param name="view">The page and the selection.</param>
/// <param name="size">The size of the terminal.</param>
internal sealed class TopDrawing(Call call, WatchedFolders watched, TopView view, (int Width, int Height) size)
{
    private const string Keys = "q quit   up, down or j, k select   Enter open   Esc back   s sort   ? help";

    // Title, headings, an empty line, keys.
    private const int ListFrame = 4;

    // Title, facts, the minute, three empty lines, two headings, keys.
    private const int PageFrame = 11;
    private const int FewestMessages = 3;

    private static readonly string[] Help =
    [
        "q           quit",
        "up, k       select the queue or cache above",
        "down, j     select the one below",
        "Page, Home, End   go further",
        "Enter       open its page, with the last messages of a queue",
        "Esc         back to the list",
        "s           sort by name, by messages a second, by lag, by the oldest unread message",
        "?           this help",
        "",
        "LAG is in bytes: those of a queue that are unread, and those that a name has not read yet.",
        "ALIVE and DEAD count producers in the row of a queue, and consumers in those of its names.",
        "MESSAGES/S of a cache are the entries that are set or removed; its size is that of the segments in use.",
    ];

    /// <summary>Draws the page.</summary>
    public IRenderable Draw() => view switch
    {
        { HasHelp: true } => Frame("keys", Help.Select(Line)),
        { Page: TopPage.One } when watched.Queues.FirstOrDefault(queue => queue.Path == view.Selected) is { } queue => OfQueue(queue),
        { Page: TopPage.One } when watched.Caches.FirstOrDefault(cache => cache.Path == view.Selected) is { } cache => OfCache(cache),
        _ => OfAll(),
    };

    private Rows Frame(string title, IEnumerable<IRenderable> content) => new([TopText.Line($"bufferedmessages top   {title}", size.Width, isBold: true), .. content, Line(""), Line(Keys)]);

    private Text Line(string text) => TopText.Line(text, size.Width);

    private Rows OfAll()
    {
        var table = new TopTable(watched.Now, size.Width);
        var selectedEnd = 0;
        foreach (var path in view.PathsOf(watched))
        {
            Add(table, path);
            selectedEnd = path == view.Selected ? table.Count : selectedEnd;
        }

        var rows = Math.Max(size.Height - ListFrame, 1);
        var title = $"{Quantity.Count(watched.Queues.Count, "queue")}, {Quantity.Count(watched.Caches.Count, "cache")}   sorted by {OrderWord(view.Order)}   {Clock()}";
        return Frame(title, table.Count == 0 ? [Line("No queue or cache was found here. One appears when a program creates it.")] : [table.Draw(Math.Max(selectedEnd - rows, 0), rows)]);
    }

    private void Add(TopTable table, string path)
    {
        if (watched.Queues.FirstOrDefault(queue => queue.Path == path) is { } queue)
        {
            table.Add(queue, path == view.Selected);
        }
        else if (watched.Caches.FirstOrDefault(cache => cache.Path == path) is { } cache)
        {
            table.Add(cache, path == view.Selected);
        }
    }

    private Rows OfQueue(WatchedQueue queue)
    {
        var table = new TopTable(watched.Now, size.Width);
        table.Add(queue, isSelected: false);
        var room = Math.Max(size.Height - PageFrame, 1 + FewestMessages);
        var rows = Math.Min(table.Count, Math.Max(room - FewestMessages, 1));
        var messages = queue.ReadLast(Math.Max(room - rows, FewestMessages), call);
        var positionWidth = messages.Select(static message => message.Position.Length).DefaultIfEmpty().Max();
        return Frame(
            $"{queue.Path}   {Clock()}",
            [
                .. FactsOf(queue), Line(""), Line($"{queue.History.Draw(watched.Now, Math.Clamp(size.Width - 24, 10, 60))}  messages/s, last minute"), Line(""), table.Draw(0, rows), Line(""),
                TopText.Line(messages.Count == 0 ? "No messages." : "LAST MESSAGES", size.Width, isBold: true),
                .. messages.Select(message => Line($"{message.Position.PadLeft(positionWidth)}  {message.Text}")),
            ]);
    }

    private IEnumerable<IRenderable> FactsOf(WatchedQueue queue)
    {
        // The rates are the last ones before the failure.
        if (queue.Failure is not null || queue.Rates is not { } rates)
        {
            return [Line(queue.Failure ?? "")];
        }

        var statistics = rates.Statistics;
        var mode = statistics.Mode == QueueMode.Bounded ? $"bounded, {Quantity.Count(statistics.Slots, "slot")}" : "durable";
        return
        [
            Line($"{mode} of {Quantity.Bytes(statistics.SegmentBytes)}   {Quantity.Count(QueueFacts.SegmentsOf(statistics), "segment")}   {Quantity.Bytes(statistics.Bytes)}, of which {Quantity.Bytes(statistics.UnreadBytes)} unread"),
            Line($"first {Quantity.Of(statistics.FirstPosition)}   published {Quantity.Of(statistics.PublishedPosition)}   waits/s {Quantity.Rate(rates.SpaceWaits)}   wakes/s {Quantity.Rate(rates.Wakes)}"),
        ];
    }

    private Rows OfCache(WatchedCache cache) => Frame(
        $"{cache.Path}   {Clock()}",
        [
            Line(cache.Failure ?? $"cache   {Quantity.Count(cache.Entries, "key")}   {Quantity.Count(cache.Segments, "segment")} of {Quantity.Bytes(cache.SegmentBytes)} in use   "
                + (cache.Writer == 0 ? "no process has it open for writing" : $"written by pid {cache.Writer}, or it died")),
            Line(""),
            Line($"{cache.History.Draw(watched.Now, Math.Clamp(size.Width - 24, 10, 60))}  {Quantity.Rate(cache.Writes)} writes/s, last minute"),
        ]);

    private static string OrderWord(TopOrder order) => order switch
    {
        TopOrder.Rate => "rate",
        TopOrder.Lag => "lag",
        TopOrder.Age => "oldest unread",
        _ => "name",
    };

    private static string Clock() => DateTime.Now.ToString("HH:mm:ss", CultureInfo.InvariantCulture);
}
