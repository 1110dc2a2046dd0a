using System.IO.Enumeration;

namespace BufferedMessages.Samples.Caching;

/// <summary>The files of a tree in a random order that is the same in each run. The first ones are looked up most.</summary>
internal sealed class FileTree
{
    /// <summary>Larger files are left out.</summary>
    public const int MaxFileBytes = 256 * 1024;

    private FileTree(TreeFile[] files)
    {
        Files = files;
        Bytes = files.Sum(static file => file.Bytes);
    }

    public TreeFile[] Files { get; }

    public long Bytes { get; }

    /// <summary>Lists a tree. Links and unreadable files are left out, and so is a directory that changes at the same time.</summary>
    /// <exception cref="ArgumentException">There are no files.</exception>
    public static FileTree List(string root, string excludedDirectory, int seed)
    {
        var options = new EnumerationOptions { AttributesToSkip = FileAttributes.None, RecurseSubdirectories = true };
        var files = new FileSystemEnumerable<TreeFile>(root, static (ref entry) => new(entry.ToFullPath(), entry.Length, entry.LastWriteTimeUtc.UtcDateTime), options)
        {
            ShouldIncludePredicate = static (ref entry) => !entry.IsDirectory && !entry.Attributes.HasFlag(FileAttributes.ReparsePoint) && entry.Length is > 0 and <= MaxFileBytes,
            ShouldRecursePredicate = (ref entry) => !entry.Attributes.HasFlag(FileAttributes.ReparsePoint) && entry.ToFullPath() != excludedDirectory,
        }.OrderBy(static file => file.Path, StringComparer.Ordinal).ToArray();
        if (files.Length == 0)
        {
            throw new ArgumentException($"'{root}' has no files of 1 to {MaxFileBytes} bytes.");
        }

        new Random(seed).Shuffle(files);
        return new FileTree(files);
    }
}
