namespace BufferedMessages.Tool;

/// <summary>The queues, caches and message files of a folder.</summary>
internal static class TargetListing
{
    // The queues of dead letters, which are in the folder of their queue.
    private const string DeadLetters = "dead";

    private static readonly EnumerationOptions Quiet = new() { IgnoreInaccessible = true, AttributesToSkip = FileAttributes.None };

    /// <summary>Gets the folder of the queues in shared memory.</summary>
    public static string SharedFolder { get; } = Path.GetDirectoryName(MessageQueue.GetSharedPath("x"))!;

    /// <summary>Lists the targets that a folder is or holds, in the order of their paths.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="isRecursive">Whether the folders in it are searched too. Links to folders are not followed.</param>
    /// <param name="token">Ends the search.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    public static IEnumerable<Target> In(string folder, bool isRecursive, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        var self = Recognition.Find(folder);
        if (self is not null)
        {
            yield return self;
        }

        foreach (var entry in new DirectoryInfo(folder).EnumerateFileSystemInfos("*", Quiet).OrderBy(static entry => entry.Name, StringComparer.Ordinal))
        {
            // The files and folders of a queue or a cache are its own.
            var isFolder = entry is DirectoryInfo;
            if (self is not null && !(isFolder && self.Kind == TargetKind.Queue && entry.Name == DeadLetters))
            {
                continue;
            }

            if (isFolder && isRecursive && entry.LinkTarget is null)
            {
                foreach (var below in In(entry.FullName, isRecursive, token))
                {
                    yield return below;
                }
            }
            else if (Recognition.Find(entry.FullName) is { } found)
            {
                yield return found;
            }
        }
    }

    /// <summary>Lists the queues in shared memory.</summary>
    public static IEnumerable<Target> Shared() => MessageQueue.List().Select(static path => new Target(TargetKind.Queue, path));
}
