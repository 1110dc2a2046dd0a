using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>One line about a target.</summary>
/// <param name="Target">The target.</param>
/// <param name="Bytes">The bytes of its messages; null if they are not known.</param>
/// <param name="Details">The rest of the line.</param>
/// <param name="Code">The answer of a look at it: a target that is damaged, or cannot be read, has the reason as its details.</param>
internal sealed record TargetSummary(Target Target, long? Bytes, string Details, ExitCode Code = ExitCode.Fine)
{
    /// <summary>Looks at a target. Damage is part of the line.</summary>
    /// <returns>Null if it was deleted or replaced since it was found.</returns>
    public static TargetSummary? Of(Target target)
    {
        try
        {
            return target.Kind switch
            {
                TargetKind.Queue => OfQueue(target),
                TargetKind.Cache => OfCache(target),
                _ => new TargetSummary(target, Recognition.FileAt(target.Path).Length, ""),
            };
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException or StaleQueueException)
        {
            return null;
        }
        catch (Exception exception) when (Failures.CodeOf(exception) is { } code)
        {
            return new TargetSummary(target, Bytes: null, exception.Message, code);
        }
    }

    /// <summary>Gives the bytes of the files in a folder. A cache deletes some while it is looked at.</summary>
    public static long DiskBytesOf(string folder) => new DirectoryInfo(folder).EnumerateFiles().Where(static file => file.Exists).Sum(static file => file.Length);

    private static TargetSummary OfCache(Target target)
    {
        // Throws if it is damaged.
        CacheControl.Open(target.Path, FileAccess.Read);
        return new TargetSummary(target, DiskBytesOf(target.Path), "");
    }

    private static TargetSummary OfQueue(Target target)
    {
        using var queue = MessageQueue.OpenReadOnly(target.Path);
        var statistics = queue.GetStatistics();
        var schema = queue.Schemas is [.., var newest] ? $", {newest.Name}" : "";
        return new TargetSummary(
            target, statistics.Bytes, $"{(queue.Mode == QueueMode.Durable ? "durable" : "bounded")}, {Quantity.Count(statistics.Consumers.Count, "name")}{schema}");
    }
}
