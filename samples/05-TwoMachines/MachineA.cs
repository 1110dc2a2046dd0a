using System.IO.Enumeration;
using BufferedMessages.Bridges;

namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The machine that walks the tree, and forwards its queue to the broker.</summary>
internal static class MachineA
{
    public const string Role = "--machine-a";

    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = 0, IgnoreInaccessible = true };

    public static async Task<int> RunAsync(TwoMachinesOptions options, CancellationToken stop)
    {
        using var queue = MessageQueue.Open(options.QueueA);
        await using var stream = Broker.OpenStream(options);
        await using var forwarder = queue.ForwardTo(stream);
        Walk(queue, options.Tree, stop);
        while (!stop.IsCancellationRequested && forwarder.GetStatistics().LagBytes != 0)
        {
            await await Task.WhenAny(forwarder.Completion, Task.Delay(100, stop));
        }

        // The lag is 0 also if the queue cannot be read, which throws here.
        _ = queue.PublishedPosition;
        return 0;
    }

    // The files come in a fixed order, so a walk that was killed goes on after those that the queue has already.
    private static void Walk(MessageQueue queue, string tree, CancellationToken stop)
    {
        var published = Published(queue, out var isFinished);
        if (isFinished)
        {
            return;
        }

        using var producer = queue.OpenProducer<FileSeen>();
        var number = 0L;
        foreach (var file in FilesOf(tree))
        {
            stop.ThrowIfCancellationRequested();
            if (++number > published)
            {
                producer.Publish(new FileSeen { Number = number, Extension = Path.GetExtension(file.Path).ToLowerInvariant(), Bytes = file.Bytes }, stop);
            }
        }

        producer.Publish(new FileSeen { Number = number + 1 }, stop);
    }

    private static IEnumerable<TreeEntry> FilesOf(string directory)
    {
        var entries = EntriesOf(directory);
        var folders = entries.Where(static entry => entry.IsDirectory);
        return entries.Where(static entry => !entry.IsDirectory).Concat(folders.SelectMany(static folder => FilesOf(folder.Path)));
    }

    // Links are left out, and so is a directory that was deleted since its parent was listed, or whose name is not valid text.
    private static List<TreeEntry> EntriesOf(string directory)
    {
        var entries = new List<TreeEntry>();
        try
        {
            entries.AddRange(new FileSystemEnumerable<TreeEntry>(directory, static (ref entry) => new(entry.ToFullPath(), entry.IsDirectory, entry.Length), Everything)
            {
                ShouldIncludePredicate = static (ref entry) => !entry.Attributes.HasFlag(FileAttributes.ReparsePoint),
            });
        }
        catch (IOException)
        {
            // It has the entries that were read.
        }

        entries.Sort(static (left, right) => string.CompareOrdinal(left.Path, right.Path));
        return entries;
    }

    private static long Published(MessageQueue queue, out bool isFinished)
    {
        var number = 0L;
        isFinished = false;
        using var reader = queue.OpenReader<FileSeenBufferedMessage>();
        while (reader.TryRead(out var delivery))
        {
            number = delivery.Message.Number;
            isFinished = delivery.Message.Extension.IsNull;
            delivery.Commit();
        }

        return number;
    }

    private readonly record struct TreeEntry(string Path, bool IsDirectory, long Bytes);
}
