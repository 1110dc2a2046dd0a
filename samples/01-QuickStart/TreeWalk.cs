using System.IO.Enumeration;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>
/// Walks a tree in a fixed order: the files of a directory by name, then its directories by name. So a walk can go on after any
/// path, also when the tree has changed in between: files that sort after that path come, those that sort before it do not.
/// </summary>
internal sealed class TreeWalk(string root, string excludedDirectory)
{
    private static readonly EnumerationOptions EverythingHere = new() { AttributesToSkip = FileAttributes.None, IgnoreInaccessible = false };

    /// <summary>The counts of entries that were left out so far.</summary>
    public WalkEnd LeftOut { get; } = new();

    /// <summary>Visits every file whose path sorts after another.</summary>
    /// <param name="after">A path within the tree; empty for all files.</param>
    /// <param name="visit">Gets the one object that is used for all files. Returns false to stop the walk.</param>
    /// <returns>Whether the walk came to its end.</returns>
    public bool Visit(string after, Func<FileFound, bool> visit)
    {
        var steps = after.Length == 0 ? [] : after.Split('/');
        return VisitDirectory(root, "", steps, new FileFound(), visit);
    }

    private bool VisitDirectory(string directory, string prefix, ReadOnlySpan<string> after, FileFound file, Func<FileFound, bool> visit)
    {
        var entries = List(directory);

        // After "name": the files that sort after it. After "name/rest": none of the files, since they come before the directories.
        var lastFile = after.Length == 1 ? after[0] : null;
        foreach (var entry in entries)
        {
            if (!entry.IsDirectory && after.Length <= 1 && string.CompareOrdinal(entry.Name, lastFile) > 0)
            {
                entry.CopyTo(file, prefix);
                if (!visit(file))
                {
                    return false;
                }
            }
        }

        var openDirectory = after.Length > 1 ? after[0] : null;
        foreach (var entry in entries)
        {
            var order = string.CompareOrdinal(entry.Name, openDirectory);
            var path = Path.Join(directory, entry.Name);
            if (entry.IsDirectory && order >= 0 && path != excludedDirectory
                && !VisitDirectory(path, $"{prefix}{entry.Name}/", order == 0 ? after[1..] : [], file, visit))
            {
                return false;
            }
        }

        return true;
    }

    private List<Entry> List(string directory)
    {
        var entries = new List<Entry>();
        try
        {
            foreach (var entry in new FileSystemEnumerable<Entry>(directory, Entry.Of, EverythingHere))
            {
                if (!IsText(entry.Name, directory))
                {
                    LeftOut.UnsayableNames++;
                }
                else if (entry.Attributes.HasFlag(FileAttributes.ReparsePoint))
                {
                    LeftOut.Links++;
                }
                else
                {
                    entries.Add(entry);
                }
            }
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException)
        {
            LeftOut.UnreadableDirectories++;
        }

        entries.Sort(static (left, right) => string.CompareOrdinal(left.Name, right.Name));
        return entries;
    }

    // On Unix a name that is not UTF-8 comes with replacement characters, and then names nothing; on Windows it has half a surrogate pair.
    private static bool IsText(string name, string directory)
    {
        for (var i = 0; i < name.Length; i++)
        {
            if (char.IsSurrogate(name[i]) && (i + 1 == name.Length || !char.IsSurrogatePair(name[i], name[++i])))
            {
                return false;
            }
        }

        return !name.Contains('\uFFFD') || Path.Exists(Path.Join(directory, name));
    }

    private readonly record struct Entry(
        string Name, bool IsDirectory, long Bytes, DateTime CreatedUtc, DateTime LastWrittenUtc, FileAttributes Attributes)
    {
        public static Entry Of(ref FileSystemEntry entry) => new(
            entry.FileName.ToString(),
            entry.IsDirectory,
            entry.Length,
            entry.CreationTimeUtc.UtcDateTime,
            entry.LastWriteTimeUtc.UtcDateTime,
            entry.Attributes);

        public void CopyTo(FileFound file, string prefix)
        {
            file.Path = prefix + Name;
            file.Extension = Path.GetExtension(Name);
            file.Bytes = Bytes;
            file.CreatedUtc = CreatedUtc;
            file.LastWrittenUtc = LastWrittenUtc;
            file.Attributes = Attributes;
        }
    }
}
