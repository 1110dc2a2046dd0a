using System.Globalization;
using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The bytes that a recovery cuts off a queue, kept for people to inspect: <c>lost+found/(UTC time)-(position)/</c> with the bytes and a report.</summary>
internal static class LostAndFound
{
    public const string DirectoryName = "lost+found";
    private const string UnfinishedSuffix = ".creating";
    private const int ChunkBytes = 1024 * 1024;

    /// <summary>Copies the bytes that are not zero. The directory gets its name once it is complete and on the disk.</summary>
    /// <param name="control">The queue.</param>
    /// <param name="end">The position where the queue ends now.</param>
    /// <param name="files">The cut parts: all bytes of these files from these offsets on.</param>
    /// <param name="clampedNames">For the report.</param>
    /// <returns>The directory, or null if there is nothing to keep or to report; and the number of cut bytes.</returns>
    public static (string? Path, long Bytes) Keep(ControlMap control, long end, IEnumerable<(string File, long Offset)> files, IReadOnlyList<string> clampedNames)
    {
        var parts = files.Select(cut => (cut.File, cut.Offset, Length: LengthUpToZeros(cut.File, cut.Offset))).Where(part => part.Length > 0).ToList();
        if (parts.Count == 0 && clampedNames.Count == 0)
        {
            return (null, 0);
        }

        string[] lines =
        [
            $"The machine stopped while the queue in '{control.Directory}' was not on the disk as a whole, or its end was cut off by hand.",
            $"The queue ends at position {end} now. The bytes after it were cut off; files that are not listed were empty.",
            .. clampedNames.Select(name => $"The cursor of the consumer name '{name}' was after the end, and was moved back."),
        ];
        return (Save(control.Directory, control.Permissions, end, parts, lines), parts.Sum(static part => part.Length));
    }

    /// <summary>Copies parts of files. The directory gets its name once it is complete and on the disk.</summary>
    /// <param name="directory">The directory of the queue.</param>
    /// <param name="permissions">The permissions of its files.</param>
    /// <param name="position">The position in the queue.</param>
    /// <param name="parts">The parts.</param>
    /// <param name="reasons">The lines of the report.</param>
    /// <returns>The directory.</returns>
    /// <exception cref="DiskFullException">The disk has no room for them.</exception>
    public static string Save(string directory, FilePermissions permissions, long position, IReadOnlyList<(string File, long Offset, long Length)> parts, IReadOnlyList<string> reasons)
    {
        var now = DateTime.UtcNow;
        var root = Path.Combine(directory, DirectoryName);
        var name = string.Create(CultureInfo.InvariantCulture, $"{now:yyyyMMdd'T'HHmmssfffffff'Z'}-{position}");
        var path = Path.Combine(root, name);
        var unfinished = MakeUnfinished(directory, permissions, name);
        try
        {
            Fill(unfinished, permissions, parts, [.. reasons, $"Written at {now:u}."]);
        }
        catch (IOException exception) when (MappedFile.IsOutOfSpace(exception))
        {
            // The copies would take the last room on the disk.
            Directory.Delete(unfinished, recursive: true);
            throw new DiskFullException(path, parts.Sum(static part => part.Length), exception);
        }

        DiskFlush.OfDirectory(unfinished);
        Directory.Move(unfinished, path);
        DiskFlush.OfDirectory(root);
        DiskFlush.OfDirectory(directory);
        return path;
    }

    /// <summary>Counts the bytes that would be kept.</summary>
    /// <param name="files">The cut parts: all bytes of these files from these offsets on.</param>
    public static long Measure(IEnumerable<(string File, long Offset)> files) => files.Sum(static cut => LengthUpToZeros(cut.File, cut.Offset));

    private static void Fill(string folder, FilePermissions permissions, IReadOnlyList<(string File, long Offset, long Length)> parts, List<string> lines)
    {
        foreach (var (file, offset, length) in parts)
        {
            Copy(file, offset, length, Path.Combine(folder, Path.GetFileName(file)), permissions);
            lines.Add($"{Path.GetFileName(file)}: {length} bytes, which were at offset {offset} of the file with this name.");
        }

        var report = Path.Combine(folder, "report.txt");
        using var written = permissions.CreateFile(report, FileShare.Read);
        written.Write(Encoding.UTF8.GetBytes(string.Concat(lines.Select(static line => line + Environment.NewLine))));
        DiskFlush.OfFile(written.SafeFileHandle, report);
    }

    // Directories that a dead process left unfinished are deleted.
    private static string MakeUnfinished(string directory, FilePermissions permissions, string name)
    {
        var root = Path.Combine(directory, DirectoryName);
        permissions.CreateFolder(root);
        foreach (var left in Directory.EnumerateDirectories(root, "*" + UnfinishedSuffix))
        {
            Directory.Delete(left, recursive: true);
        }

        var unfinished = Path.Combine(root, name + UnfinishedSuffix);
        permissions.CreateFolder(unfinished);
        return unfinished;
    }

    private static long LengthUpToZeros(string path, long offset)
    {
        if (MappedFile.HasNoContent(path))
        {
            return 0;
        }

        using var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        var buffer = new byte[ChunkBytes];
        var length = 0L;
        for (var position = offset; RandomAccess.Read(file, buffer, position) is var read and > 0; position += read)
        {
            var last = buffer.AsSpan(0, read).LastIndexOfAnyExcept((byte)0);
            length = last < 0 ? length : position + last + 1 - offset;
        }

        return length;
    }

    private static void Copy(string source, long offset, long length, string target, FilePermissions permissions)
    {
        using var created = permissions.CreateFile(target, FileShare.None);
        var to = created.SafeFileHandle;
        using var from = MappedFile.HasNoContent(source) ? null : File.OpenHandle(source, share: FileShare.ReadWrite | FileShare.Delete);
        var buffer = new byte[ChunkBytes];
        for (var done = 0L; from is not null && done < length;)
        {
            var read = RandomAccess.Read(from, buffer.AsSpan(0, (int)Math.Min(buffer.Length, length - done)), offset + done);
            if (read == 0)
            {
                break;
            }

            RandomAccess.Write(to, buffer.AsSpan(0, read), done);
            done += read;
        }

        DiskFlush.OfFile(to, target);
    }
}
