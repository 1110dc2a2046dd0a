namespace BufferedMessages.Tool;

/// <summary>The table of samples: a row for each queue, and one below it for each consumer name.</summary>
internal static class RateTable
{
    /// <summary>The headings.</summary>
    public static IReadOnlyList<string> Headings { get; } = ["QUEUE", "MESSAGES/S>", "BYTES/S>", "LAG>", "OLDEST>", "ALIVE>", "DEAD>", "IN FLIGHT>", "WAITS/S>", "WAKES/S>", "SEGMENTS>", "SIZE>"];

    /// <summary>Makes the table.</summary>
    public static TextTable Of(IEnumerable<QueueRates> samples)
    {
        var table = new TextTable([.. Headings]);
        foreach (var row in Rows(samples))
        {
            table.Add(row);
        }

        return table;
    }

    /// <summary>Gives the rows.</summary>
    public static IEnumerable<Cell[]> Rows(IEnumerable<QueueRates> samples)
    {
        foreach (var rates in samples)
        {
            var producers = rates.Statistics.Producers;
            yield return
            [
                new Cell(rates.Name, Ink.Heading), Quantity.Rate(rates.Messages), Quantity.Bytes(rates.Bytes), Quantity.Bytes(rates.Statistics.UnreadBytes), "",
                Alive(producers), Dead(producers), "", Quantity.Rate(rates.SpaceWaits), Quantity.Rate(rates.Wakes), Quantity.Of(QueueFacts.SegmentsOf(rates.Statistics)), Quantity.Bytes(rates.Statistics.Bytes),
            ];
            for (var i = 0; i < rates.Statistics.Consumers.Count; i++)
            {
                var name = rates.Statistics.Consumers[i];
                yield return
                [
                    $"  {name.Name}", Quantity.Rate(rates.Committed[i]), "", Quantity.Bytes(name.LagBytes), name.OldestUnreadAge is { } age ? Quantity.Time(age) : "",
                    Alive(name.Members), Dead(name.Members), name.IsGroup ? Quantity.Of(QueueRates.InFlightOf(name)) : "",
                ];
            }
        }
    }

    /// <summary>Gives the rows of queues that can no longer be read.</summary>
    public static IEnumerable<Cell[]> LostRows(IEnumerable<string> names) => names.Select(static name => new[] { new Cell(name, Ink.Heading), new Cell("unreadable", Ink.Bad) });

    /// <summary>Counts those that are alive.</summary>
    public static Cell Alive(IReadOnlyList<ParticipantStatistics> participants) => Quantity.Of(participants.Count(static participant => participant.IsAlive));

    /// <summary>Counts those that are dead; empty if there is none.</summary>
    public static Cell Dead(IReadOnlyList<ParticipantStatistics> participants) =>
        participants.Count(static participant => !participant.IsAlive) is > 0 and var dead ? new Cell(Quantity.Of(dead), Ink.Bad) : "";
}
