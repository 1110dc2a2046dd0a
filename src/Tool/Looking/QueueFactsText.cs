using System.Globalization;

namespace BufferedMessages.Tool;

/// <summary>The facts of a queue for people.</summary>
internal sealed class QueueFactsText(Call call)
{
    /// <summary>Writes them.</summary>
    public void Write(QueueFacts facts)
    {
        var statistics = facts.Statistics;
        call.WriteLine($"{call.Palette.Paint(TerminalText.Escape(System.IO.Path.GetFileName(statistics.Path)), Ink.Heading)}   {Modes(facts)}");
        call.WriteLine($"  {"path",-10}  {TerminalText.Escape(statistics.Path)}");
        call.WriteLine($"  {"id",-10}  {facts.Id}, epoch {facts.Epoch}");
        call.WriteLine($"  {"created",-10}  {(facts.Created is { } created ? Quantity.Moment(created) : "unknown")}");
        call.WriteLine($"  {"positions",-10}  first {Quantity.Of(statistics.FirstPosition)}   published {Quantity.Of(statistics.PublishedPosition)}{Durable(statistics)}");
        call.WriteLine($"  {"size",-10}  {Quantity.Bytes(statistics.Bytes)}, of which {Quantity.Bytes(statistics.UnreadBytes)} unread");
        if (facts.Options.Retention is { } retention)
        {
            call.WriteLine($"  {"retention",-10}  {Describe(retention)}");
        }

        call.WriteLine($"  {"schema",-10}  {Schema(facts.Schemas)}");
        call.WriteLine($"  {"waits",-10}  {Quantity.Of(statistics.SpaceWaits)} for space, {Quantity.Of(statistics.Wakes)} wakes");
        WriteProducers(statistics.Producers);
        WriteNames(statistics.Consumers);
    }

    private static string Modes(QueueFacts facts)
    {
        var (statistics, options) = (facts.Statistics, facts.Options);
        var producers = statistics.ProducerMode == ProducerMode.Single ? "one producer" : "many producers";
        return statistics.Mode == QueueMode.Bounded
            ? $"bounded, {producers}, {Quantity.Count(statistics.Slots, "slot")} of {Quantity.Bytes(statistics.SegmentBytes)}"
            : $"durable, {producers}, segments of {Quantity.Bytes(statistics.SegmentBytes)}, {Quantity.Count(facts.Segments, "segment")}, {Flush(options)}";
    }

    private static string Flush(MessageQueueOptions options) => options switch
    {
        { Flush: FlushMode.EveryMessage } => "flushes every message",
        { FlushInterval: { } interval, FlushMessages: { } messages } => string.Create(CultureInfo.InvariantCulture, $"flush interval {Quantity.Time(interval)} or {messages:N0} messages"),
        _ => "no flush",
    };

    private static string Durable(QueueStatistics statistics) => statistics.Mode == QueueMode.Durable ? $"   durable {Quantity.Of(statistics.DurablePosition)}" : "";

    private static string Describe(QueueRetention retention)
    {
        string?[] rules =
        [
            retention.MaxBytes is { } bytes ? $"above {Quantity.Bytes(bytes)}" : null,
            retention.MaxAge is { } age ? $"older than {Quantity.Time(age)}" : null,
            retention.DeleteRead ? "read by every name" : null,
            retention.HardLimitBytes is { } limit ? $"hard limit {Quantity.Bytes(limit)}{(retention.DropOldestAtHardLimit ? ", drops the oldest there" : ", producers wait there")}" : null,
            retention.KeepUnread ? "keeps unread messages" : "deletes unread messages too",
        ];
        return string.Join(", ", rules.OfType<string>());
    }

    private static string Schema(IReadOnlyList<MessageSchema> schemas) => schemas is [.., var newest]
        ? TerminalText.Escape($"{newest.Text.Split('\n')[0]} ({Quantity.Count(schemas.Count, "version")}, fingerprint {newest.Fingerprint:x16})   {Quantity.Count(MembersOf(newest), "member")}")
        : "none: bytes or values, or not decided yet";

    // The lines of the root, up to the next type.
    private static int MembersOf(MessageSchema schema) =>
        schema.Text.Split('\n').Skip(1).TakeWhile(static line => line is ['#' or (>= '0' and <= '9'), ..]).Count(static line => line[0] != '#');

    private void WriteProducers(IReadOnlyList<ParticipantStatistics> producers)
    {
        var table = new TextTable("", "", "", "");
        foreach (var producer in producers)
        {
            table.Add("pid " + producer.ProcessId.ToString(CultureInfo.InvariantCulture), Life(producer), Quantity.Count(producer.Messages, "message"), $"claimed {Quantity.Of(producer.Position ?? 0)}");
        }

        WriteBlock("producers", table, producers.Count);
    }

    private void WriteNames(IReadOnlyList<ConsumerStatistics> names)
    {
        var table = new TextTable("", "", "", "");
        foreach (var name in names)
        {
            var dead = name.Members.Count(static member => !member.IsAlive);
            var age = name.OldestUnreadAge is { } oldest ? $", {Quantity.Time(oldest)}" : "";
            table.Add(name.Name, name.IsGroup ? "group" : "exclusive", $"lag {Quantity.Bytes(name.LagBytes)}{age}", new Cell(Members(name, dead), dead > 0 ? Ink.Bad : Ink.Plain));
        }

        WriteBlock("names", table, names.Count);
    }

    private static string Members(ConsumerStatistics name, int dead)
    {
        if (name.Members.Count == 0)
        {
            return "no consumer now";
        }

        if (!name.IsGroup)
        {
            return string.Join(", ", name.Members.Select(static member => $"pid {member.ProcessId} {LifeOf(member)}"));
        }

        var holding = name.Members.Where(static member => member is { IsAlive: false, Position: not null }).Select(static member => Quantity.Of(member.Position!.Value)).ToList();
        var held = holding.Count > 0 ? $" holds {string.Join(" and ", holding)} (a member of the group must open to get it)" : "";
        return $"{Quantity.Count(name.Members.Count, "member")}{(dead > 0 ? $", {dead} DEAD{held}" : "")}";
    }

    private static Cell Life(ParticipantStatistics participant) => new(LifeOf(participant), participant.IsAlive ? Ink.Good : Ink.Bad);

    private static string LifeOf(ParticipantStatistics participant) => participant.IsAlive ? "alive" : "DEAD";

    private void WriteBlock(string title, TextTable table, int count)
    {
        if (count == 0)
        {
            call.WriteLine($"  {title,-10}  none");
            return;
        }

        using var lines = new StringWriter(CultureInfo.InvariantCulture);
        table.Write(lines, call.Palette);
        var isFirst = true;
        foreach (var line in lines.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            call.WriteLine($"  {(isFirst ? title : ""),-10}  {line}");
            isFirst = false;
        }
    }
}
