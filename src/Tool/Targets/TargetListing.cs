using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>The queues, caches and message files of a folder.</summary>
internal static class TargetListing
{
    // A folder that may not be read is not an empty one.
    private static readonly EnumerationOptions Everything = new() { IgnoreInaccessible = false, AttributesToSkip = FileAttributes.None };

    private static readonly EnumerationOptions Accessible = new() { IgnoreInaccessible = true, AttributesToSkip = FileAttributes.None };

    /// <summary>Gets the folder of the queues in shared memory.</summary>
    public static string SharedFolder { get; } = Path.GetDirectoryName(MessageQueue.GetSharedPath("x"))!;

    /// <summary>Lists the targets that a folder is or holds, in the order of their paths. A folder below that cannot be opened has none.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="isRecursive">Whether the folders in it are searched too. Links to folders are not followed.</param>
    /// <param name="token">Ends the search.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be read.</exception>
    public static IEnumerable<Target> In(string folder, bool isRecursive, CancellationToken token) => In(folder, EntriesOf(folder), isRecursive, token);

    /// <summary>Lists the queues in shared memory.</summary>
    public static IEnumerable<Target> Shared() =>
        Directory.EnumerateDirectories(SharedFolder, "*", Accessible).Order(StringComparer.Ordinal).Select(Recognition.Find).OfType<Target>().Where(static target => target.Kind == TargetKind.Queue);

    private static IEnumerable<Target> In(string folder, FileSystemInfo[] entries, bool isRecursive, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        var self = Recognition.Find(folder);
        if (self is not null)
        {
            yield return self;
        }

        foreach (var entry in entries)
        {
            // The files and folders of a queue or a cache are its own, except for the queues of dead letters.
            var isFolder = entry is DirectoryInfo;
            if (self is not null && !(isFolder && self.Kind == TargetKind.Queue && entry.Name == DeadLetterNames.Folder))
            {
                continue;
            }

            if (isFolder && isRecursive && entry.LinkTarget is null)
            {
                foreach (var below in In(entry.FullName, EntriesBelow(entry.FullName), isRecursive, token))
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

    private static FileSystemInfo[] EntriesOf(string folder) =>
        [.. new DirectoryInfo(folder).EnumerateFileSystemInfos("*", Everything).OrderBy(static entry => entry.Name, StringComparer.Ordinal)];

    // A folder may be deleted during the search, and a name that is not UTF-8 opens nothing.
    private static FileSystemInfo[] EntriesBelow(string folder)
    {
        try
        {
            return EntriesOf(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
