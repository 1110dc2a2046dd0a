using System.Globalization;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>What a process of a round does; one line of text.</summary>
/// <param name="Directory">Holds the queue and the notes.</param>
/// <param name="Index">Its place in the notes.</param>
/// <param name="Seed">Of its random choices.</param>
/// <param name="Kind">Producer, consumer or member.</param>
/// <param name="Name">The consumer name's number.</param>
/// <param name="Haste">0 for a pause after most messages, 100 for none.</param>
/// <param name="IsCalm">No producer is killed or paused: a late wake-up has no excuse.</param>
/// <param name="IsRecorded">The process notes the fault points that it comes to.</param>
/// <param name="Options">The queue.</param>
/// <param name="Faults">The process's orders.</param>
internal sealed record WorkerRole(
    string Directory, int Index, int Seed, WorkerKind Kind, int Name, int Haste, bool IsCalm, bool IsRecorded, MessageQueueOptions Options, string Faults)
{
    public string Queue => Path.Combine(Directory, "queue");

    public string Notes => Path.Combine(Directory, "notes");

    public static WorkerRole Parse(string line)
    {
        var parts = line.Split('|');
        return new WorkerRole(
            parts[0], Number(parts[1]), Number(parts[2]), Enum.Parse<WorkerKind>(parts[3]), Number(parts[4]), Number(parts[5]), bool.Parse(parts[6]), bool.Parse(parts[7]),
            new MessageQueueOptions
            {
                Mode = Enum.Parse<QueueMode>(parts[8]),
                Producers = Enum.Parse<ProducerMode>(parts[9]),
                SegmentBytes = Number(parts[10]),
                Slots = OptionalNumber(parts[11]),
                Flush = parts[12].Length == 0 ? null : Enum.Parse<FlushMode>(parts[12]),
                FlushInterval = OptionalNumber(parts[13]) is { } interval ? TimeSpan.FromMilliseconds(interval) : null,
                FlushMessages = OptionalNumber(parts[14]),
                Retention = parts[15].Length == 0 ? null : RetentionOf(parts[15].Split(',')),
            },
            parts[16]);
    }

    public override string ToString() => string.Join(
        '|', Directory, Index, Seed, Kind, Name, Haste, IsCalm, IsRecorded, Options.Mode, Options.Producers, Options.SegmentBytes, Options.Slots,
        Options.Flush, (int?)Options.FlushInterval?.TotalMilliseconds, Options.FlushMessages, Options.Retention is { } retention ? TextOf(retention) : "", Faults);

    private static QueueRetention RetentionOf(string[] parts) => new()
    {
        MaxBytes = OptionalNumber(parts[0]),
        HardLimitBytes = OptionalNumber(parts[1]),
        DeleteRead = bool.Parse(parts[2]),
        KeepUnread = bool.Parse(parts[3]),
    };

    private static string TextOf(QueueRetention retention) =>
        string.Join(',', retention.MaxBytes, retention.HardLimitBytes, retention.DeleteRead, retention.KeepUnread);

    private static int? OptionalNumber(string text) => text.Length == 0 ? null : Number(text);

    private static int Number(string text) => int.Parse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
}

/// <summary>Who takes part in a round.</summary>
internal enum WorkerKind
{
    Producer,

    /// <summary>The only consumer of a name.</summary>
    Consumer,

    /// <summary>A member of a group.</summary>
    Member,
}
