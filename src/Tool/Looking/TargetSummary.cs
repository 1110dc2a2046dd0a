namespace BufferedMessages.Tool;

/// <summary>One line about a target.</summary>
/// <param name="Target">The target.</param>
/// <param name="Bytes">The bytes of its messages; null if they are not known.</param>
/// <param name="Details">The rest of the line.</param>
/// <param name="IsDamaged">Whether it cannot be opened.</param>
internal sealed record TargetSummary(Target Target, long? Bytes, string Details, bool IsDamaged = false)
{
    /// <summary>Looks at a target. Damage is part of the line.</summary>
    public static TargetSummary Of(Target target)
    {
        try
        {
            return target.Kind switch
            {
                TargetKind.Queue => OfQueue(target),
                TargetKind.Cache => new TargetSummary(target, DiskBytesOf(target.Path), ""),
                _ => new TargetSummary(target, Recognition.FileAt(target.Path).Length, ""),
            };
        }
        catch (Exception exception) when (exception is QueueCorruptedException or IOException or UnauthorizedAccessException or NotSupportedException or StaleQueueException)
        {
            return new TargetSummary(target, Bytes: null, exception.Message, IsDamaged: exception is QueueCorruptedException);
        }
    }

    /// <summary>Gives the bytes of the files in a folder. A cache deletes some while it is looked at.</summary>
    public static long DiskBytesOf(string folder) => new DirectoryInfo(folder).EnumerateFiles().Where(static file => file.Exists).Sum(static file => file.Length);

    private static TargetSummary OfQueue(Target target)
    {
        using var queue = MessageQueue.OpenReadOnly(target.Path);
        var statistics = queue.GetStatistics();
        var schema = queue.Schemas is [.., var newest] ? $", {newest.Name}" : "";
        return new TargetSummary(
            target, statistics.Bytes, $"{(queue.Mode == QueueMode.Durable ? "durable" : "bounded")}, {Quantity.Count(statistics.Consumers.Count, "name")}{schema}");
    }
}
