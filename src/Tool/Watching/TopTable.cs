using Spectre.Console;

namespace BufferedMessages.Tool;

/// <summary>The rows of queues, their consumer names, and caches.</summary>
/// <param name="now">The time of the last samples.</param>
/// <param name="width">The columns of the terminal.</param>
internal sealed class TopTable(TimeSpan now, int width)
{
    // A terminal with fewer columns shows neither segments nor sizes.
    private const int WideColumns = 120;
    private const int WideBars = 20;
    private const int Bars = 10;

    // The columns of the numbers, with the gaps between them.
    private const int WideNumbers = 98;
    private const int Numbers = 66;
    private const int SmallestName = 12;

    private static readonly string[] Headings = ["", "MESSAGES/S>", "LAST MINUTE", "BYTES/S>", "LAG>", "OLDEST>", "ALIVE>", "DEAD>", "SEGMENTS>", "SIZE>"];

    private readonly List<Cell[]> _rows = [];

    private bool IsWide => width >= WideColumns;

    private int BarCount => IsWide ? WideBars : Bars;

    private int NameWidth => Math.Max(width - (IsWide ? WideNumbers : Numbers), SmallestName);

    /// <summary>Gets the number of rows.</summary>
    public int Count => _rows.Count;

    /// <summary>Adds a queue and its names.</summary>
    public void Add(WatchedQueue queue, bool isSelected)
    {
        if (queue.Rates is not { } rates || queue.Failure is not null)
        {
            _rows.Add([NameOf($"{queue.Name}: {queue.Failure}", isSelected, Ink.Bad)]);
            return;
        }

        var statistics = rates.Statistics;
        _rows.Add(
        [
            NameOf(queue.Name, isSelected, Ink.Heading), Quantity.Rate(rates.Messages), queue.History.Draw(now, BarCount), Quantity.Bytes(rates.Bytes), Quantity.Bytes(statistics.UnreadBytes), "",
            RateTable.Alive(statistics.Producers), RateTable.Dead(statistics.Producers), Quantity.Of(QueueFacts.SegmentsOf(statistics)), Quantity.Bytes(statistics.Bytes),
        ]);
        for (var i = 0; i < statistics.Consumers.Count; i++)
        {
            var name = statistics.Consumers[i];
            _rows.Add(
            [
                NameOf($"  {name.Name}", isSelected: false, Ink.Plain), Quantity.Rate(rates.Committed[i]), "", "", Quantity.Bytes(name.LagBytes), name.OldestUnreadAge is { } age ? Quantity.Time(age) : "",
                RateTable.Alive(name.Members), RateTable.Dead(name.Members),
            ]);
        }
    }

    /// <summary>Adds a cache.</summary>
    public void Add(WatchedCache cache, bool isSelected) => _rows.Add(cache.Failure is not null
        ? [NameOf($"{cache.Name}: {cache.Failure}", isSelected, Ink.Bad)]
        :
        [
            NameOf($"{cache.Name}  cache, {Quantity.Count(cache.Entries, "key")}", isSelected, Ink.Heading), Quantity.Rate(cache.Writes), cache.History.Draw(now, BarCount), "", "", "",
            cache.Writer == 0 ? "0" : "1", "", Quantity.Of(cache.Segments), Quantity.Bytes(cache.Segments * cache.SegmentBytes),
        ]);

    /// <summary>Draws rows.</summary>
    /// <param name="first">The first row.</param>
    /// <param name="count">The largest number of rows.</param>
    public Table Draw(int first, int count)
    {
        var headings = IsWide ? Headings : Headings[..^2];
        return LiveTable.Of(headings, _rows.Skip(first).Take(count).Select(row => row.Take(headings.Length)));
    }

    private Cell NameOf(string name, bool isSelected, Ink ink) => new(TopText.Clip((isSelected ? "> " : "  ") + TerminalText.Escape(name), NameWidth), ink);
}
